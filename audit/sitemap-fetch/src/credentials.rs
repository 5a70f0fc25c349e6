//! Credentials that are sent to a single host.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderValue;

use crate::error::FetchError;

/// The value of an `Authorization` header. It is never printed, and [`FetchOptions::credentials`] sends it to a single
/// host.
///
/// ```
/// use sitemap_fetch::{Credentials, FetchOptions, Fetcher};
///
/// let credentials = Credentials::basic("Aladdin", "open sesame")?;
/// assert_eq!(format!("{credentials:?}"), "Credentials(..)");
/// let options = FetchOptions::new().credentials("https://stage.example.com/", credentials);
/// assert!(Fetcher::new(options).is_ok());
/// # Ok::<(), sitemap_fetch::FetchError>(())
/// ```
///
/// [`FetchOptions::credentials`]: crate::FetchOptions::credentials
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials(String);

impl Credentials {
    /// Creates credentials from a user name and a password, in UTF-8.
    ///
    /// # Errors
    ///
    /// Returns an error if the user name contains a colon, or if either contains a control character.
    ///
    /// Source: RFC 7617, section 2.
    ///
    /// ```
    /// use sitemap_fetch::Credentials;
    ///
    /// let error = Credentials::basic("a:b", "c").unwrap_err();
    /// assert_eq!(error.to_string(), "the user name contains a colon; remove it");
    /// ```
    pub fn basic(user: &str, password: &str) -> Result<Self, FetchError> {
        if user.contains(':') {
            return Err(FetchError::new("the user name contains a colon; remove it".to_owned()));
        }
        for (what, text) in [("user name", user), ("password", password)] {
            if text.contains(char::is_control) {
                // The value is a secret, so it is not printed.
                return Err(FetchError::new(format!("the {what} has control characters; remove them")));
            }
        }
        Ok(Self(format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))))
    }

    /// Creates credentials from a bearer token.
    ///
    /// # Errors
    ///
    /// Returns an error if the token contains characters that aren't allowed in bearer tokens.
    ///
    /// Source: RFC 6750, section 2.1.
    ///
    /// ```
    /// use sitemap_fetch::Credentials;
    ///
    /// assert!(Credentials::bearer("mF_9.B5f-4.1JqM").is_ok());
    /// let error = Credentials::bearer("two words").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the token is empty or has other characters than letters, digits and `-._~+/=`; remove them"
    /// );
    /// ```
    pub fn bearer(token: &str) -> Result<Self, FetchError> {
        let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if token.is_empty() || !token.bytes().all(is_valid) {
            let why =
                "the token is empty or has other characters than letters, digits and `-._~+/=`; remove them";
            return Err(FetchError::new(why.to_owned()));
        }
        Ok(Self(format!("Bearer {token}")))
    }

    /// Returns the header value, marked as sensitive so that it's never logged or indexed by HTTP/2.
    pub(crate) fn header(&self) -> Result<HeaderValue, FetchError> {
        let value = HeaderValue::from_str(&self.0);
        let mut value = value.map_err(|_| {
            FetchError::new("the credentials have control characters; remove them".to_owned())
        })?;
        value.set_sensitive(true);
        Ok(value)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_are_those_of_the_standards() {
        // Tests the examples in RFC 7617, section 2, and RFC 6750, section 2.1.
        let basic = Credentials::basic("Aladdin", "open sesame").unwrap().header().unwrap();
        assert_eq!(basic, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        let basic = Credentials::basic("test", "123\u{a3}").unwrap().header().unwrap();
        assert_eq!(basic, "Basic dGVzdDoxMjPCow==");
        let bearer = Credentials::bearer("mF_9.B5f-4.1JqM").unwrap().header().unwrap();
        assert_eq!(bearer, "Bearer mF_9.B5f-4.1JqM");
        assert!(bearer.is_sensitive());
    }
}
