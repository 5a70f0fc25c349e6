//! The roles of fields: what a field's value is used for.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Loc,
    LastMod,
    ChangeFreq,
    Priority,
    Param,
    Images,
    Videos,
    News,
    Alternates,
    Locales,
    Flatten,
    SkipIf,
    ListIf,
    Skip,
}

impl Role {
    /// Returns the role that a field has because of its name, without an attribute.
    pub(crate) fn implicit(name: &str) -> Option<Self> {
        [Self::Loc, Self::LastMod, Self::ChangeFreq, Self::Priority]
            .into_iter()
            .find(|role| role.name() == name)
    }

    /// Returns the name of the role's attribute.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Loc => "loc",
            Self::LastMod => "lastmod",
            Self::ChangeFreq => "changefreq",
            Self::Priority => "priority",
            Self::Param => "param",
            Self::Images => "images",
            Self::Videos => "videos",
            Self::News => "news",
            Self::Alternates => "alternates",
            Self::Locales => "locales",
            Self::Flatten => "flatten",
            Self::SkipIf => "skip_if",
            Self::ListIf => "list_if",
            Self::Skip => "skip",
        }
    }

    /// Returns true if a field with this role may also have the role `param`.
    pub(crate) const fn may_be_param(self) -> bool {
        !matches!(self, Self::Param | Self::Flatten | Self::Skip)
    }

    /// Returns true if only one field per page may have this role.
    pub(crate) const fn is_single(self) -> bool {
        !matches!(self, Self::Param | Self::Flatten | Self::SkipIf | Self::ListIf | Self::Skip)
    }

    /// Returns the library's trait that converts a value for this role, and the method to call.
    pub(crate) const fn conversion(self) -> (&'static str, &'static str) {
        match self {
            Self::LastMod => ("ToLastMod", "to_last_mod"),
            Self::ChangeFreq => ("ToChangeFreq", "to_change_freq"),
            Self::Priority => ("ToPriority", "to_priority"),
            Self::Images => ("ToImages", "to_images"),
            Self::Videos => ("ToVideos", "to_videos"),
            Self::News => ("ToNews", "to_news"),
            Self::Alternates => ("ToAlternates", "to_alternates"),
            _ => ("ToLoc", "to_loc"),
        }
    }
}
