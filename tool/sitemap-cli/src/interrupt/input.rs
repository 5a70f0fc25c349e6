//! Input that ends when a signal ends the run.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use super::{check, state};

/// Input that never blocks for long, such as a file.
pub(crate) struct Checked<R>(R);

pub(crate) fn checked<R: Read>(from: R) -> Checked<R> {
    Checked(from)
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        check()?;
        self.0.read(buffer)
    }
}

/// Input that may block forever, such as a pipe. Its own thread reads it, so that a signal can end the wait.
pub(crate) struct Piped {
    received: Receiver<Message>,
    piece: Vec<u8>,
    taken: usize,
    is_ended: bool,
}

enum Message {
    /// The next bytes, or none at the end of the input.
    Piece(io::Result<Vec<u8>>),
    /// A signal was received.
    Signal,
}

pub(crate) fn stdin() -> Piped {
    piped(io::stdin())
}

pub(crate) fn piped(from: impl Read + Send + 'static) -> Piped {
    let (sender, received) = sync_channel(2);
    let waker = sender.clone();
    state().wake.push(Box::new(move || match waker.try_send(Message::Signal) {
        // If the queue is full, the receiver isn't waiting. It checks for a signal before it waits again.
        Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
    }));
    thread::spawn(move || forward(from, &sender));
    Piped { received, piece: Vec::new(), taken: 0, is_ended: false }
}

/// Reads until the input ends or an error occurs.
fn forward(mut from: impl Read, sender: &SyncSender<Message>) {
    const LEN: usize = 64 * 1024;

    loop {
        let mut piece = vec![0; LEN];
        let read = match from.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_last = !matches!(read, Ok(len) if len > 0);
        let piece = read.map(|len| {
            piece.truncate(len);
            piece
        });
        if sender.send(Message::Piece(piece)).is_err() || is_last {
            return;
        }
    }
}

impl Read for Piped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.piece.len() && !self.is_ended {
            check()?;
            match self.received.recv() {
                Ok(Message::Piece(piece)) => {
                    self.is_ended = !piece.as_ref().is_ok_and(|piece| !piece.is_empty());
                    (self.piece, self.taken) = (piece?, 0);
                }
                Ok(Message::Signal) => {}
                Err(_) => self.is_ended = true,
            }
        }
        let len = (&self.piece[self.taken..]).read(buffer)?;
        self.taken += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piped_input_is_the_same_as_direct_input() {
        for len in [0, 1, 65_536, 200_000] {
            let bytes: Vec<u8> = (0..len).map(|n: u32| n.to_le_bytes()[0]).collect();
            let mut found = Vec::new();
            piped(io::Cursor::new(bytes.clone())).read_to_end(&mut found).unwrap();
            assert_eq!(found, bytes);
        }
    }

    #[test]
    fn an_error_is_passed_on_once() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut input = piped(Broken);
        assert_eq!(input.read(&mut [0; 9]).unwrap_err().to_string(), "broken");
        assert_eq!(input.read(&mut [0; 9]).unwrap(), 0);
    }
}
