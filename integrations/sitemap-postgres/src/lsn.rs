//! Positions in a server's log.

use std::fmt;
use std::str::FromStr;

/// A position in the write-ahead log, written as `16/B374D848`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lsn(pub(crate) u64);

impl fmt::Display for Lsn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}/{:X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

impl FromStr for Lsn {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (high, low) = text.split_once('/').ok_or(())?;
        let half = |text| u32::from_str_radix(text, 16).map(u64::from).map_err(drop);
        Ok(Self(half(high)? << 32 | half(low)?))
    }
}

/// The position up to which a set contains a server's changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The server's system identifier. A restored copy of its data has the same one.
    pub(crate) system: String,
    /// The server's timeline. A new one starts when a replica takes over or a backup is restored.
    pub(crate) timeline: u32,
    pub(crate) lsn: Lsn,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.system, self.timeline, self.lsn)
    }
}

impl FromStr for Position {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let [system, timeline, lsn] = text.split(':').collect::<Vec<_>>()[..] else { return Err(()) };
        let timeline = timeline.parse().map_err(drop)?;
        Ok(Self { system: system.to_owned(), timeline, lsn: lsn.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_written_as_the_server_writes_them() {
        assert_eq!("16/B374D848".parse(), Ok(Lsn(0x16_B374_D848)));
        assert_eq!(Lsn(0x16_B374_D848).to_string(), "16/B374D848");
        let position = Position { system: "7311".to_owned(), timeline: 2, lsn: Lsn(0x1_0000_000A) };
        assert_eq!(position.to_string(), "7311:2:1/A");
        assert_eq!("7311:2:1/A".parse(), Ok(position));
        for text in ["", "7311:2", "7311:x:1/A", "7311:2:1A", "7311:2:1/100000000", "7311:2:1/A:4"] {
            assert_eq!(text.parse::<Position>(), Err(()), "{text}");
        }
    }
}
