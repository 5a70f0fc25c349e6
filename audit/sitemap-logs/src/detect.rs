//! Detects the format of a log.

use crate::cloudfront::Columns;
use crate::format::LogFormat;
use crate::{alb, combined};

impl LogFormat {
    /// Returns the format of a log from its first bytes: the format of the first line that is a request or a header. A
    /// few kilobytes are enough.
    ///
    /// ```
    /// use sitemap_logs::LogFormat;
    ///
    /// assert_eq!(LogFormat::detect(b"#Version: 1.0\n#Fields: date time"), Some(LogFormat::CloudFront));
    /// assert_eq!(LogFormat::detect(b"{\"ts\":1646861401.5241024,"), Some(LogFormat::Json));
    /// assert_eq!(LogFormat::detect(b"Nov 27 13:55:36 web kernel: out of memory\n"), None);
    /// ```
    #[must_use]
    pub fn detect(first_bytes: &[u8]) -> Option<Self> {
        /// The maximum number of lines to try. At least one of them has to be a request.
        const LINES: usize = 100;

        let columns = Columns::legacy();
        let lines = first_bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        lines.filter(|line| !line.is_empty()).take(LINES).find_map(|line| {
            if line[0] == b'{' {
                Some(Self::Json)
            } else if line.starts_with(b"#Version:")
                || line.starts_with(b"#Fields:")
                || columns.read(line).is_ok()
            {
                Some(Self::CloudFront)
            } else if alb::read(line).is_ok() {
                Some(Self::Alb)
            } else {
                combined::read(line).is_ok().then_some(Self::Combined)
            }
        })
    }
}
