//! The places where attributes can be written.

/// The kind of item that an attribute is written on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Struct,
    Enum,
    Variant,
    StructField,
    VariantField,
    Part,
    PartField,
}

impl Place {
    /// Returns the noun for this place, with an article, for error messages.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Struct | Self::Part => "a struct",
            Self::Enum => "an enum",
            Self::Variant => "a variant",
            Self::StructField | Self::VariantField | Self::PartField => "a field",
        }
    }

    /// Returns the other places where the user may have meant to write an attribute, the likeliest first.
    pub(super) const fn alternatives(self) -> &'static [(Self, &'static str)] {
        match self {
            Self::Struct => &[(Self::StructField, "a field")],
            Self::Enum => &[(Self::Variant, "a variant"), (Self::VariantField, "a field")],
            Self::Variant => &[(Self::Enum, "the enum"), (Self::VariantField, "a field")],
            Self::StructField => &[(Self::Struct, "the struct")],
            Self::VariantField => &[(Self::Variant, "the variant"), (Self::Enum, "the enum")],
            Self::Part => &[(Self::PartField, "a field")],
            Self::PartField => &[(Self::Part, "the struct")],
        }
    }

    pub(super) const fn is_in_part(self) -> bool {
        matches!(self, Self::Part | Self::PartField)
    }
}
