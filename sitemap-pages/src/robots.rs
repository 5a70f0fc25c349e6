//! The rules of robots.txt that say which pages a crawler may fetch.
