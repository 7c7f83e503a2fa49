//! Methods of Objective-C, by the lists from which the runtime learns them: names that stripping doesn't take.
//!
//! They are named as compilers name their symbols: `-[Class selector:]`, `+[Class(Category) selector]`.

use super::binds::{CLASS, Classes};
use super::fixups::{Pointer, Pointers};
use super::header::Image;
use super::memory::Memory;
use super::regions::Regions;
use super::rows::{self, Made};
use crate::ReadError;
use crate::file::SourceFile;
use crate::inventory::{Candidate, Mode, ProcedureKind};

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Methods with code.
    pub(crate) rows: u64,
    pub(crate) damage: Vec<String>,
}

const CLASS_LISTS: [&[u8]; 2] = [b"__objc_classlist", b"__objc_nlclslist"];
const CATEGORY_LISTS: [&[u8]; 3] = [b"__objc_catlist", b"__objc_catlist2", b"__objc_nlcatlist"];

/// Whether the image has such lists.
pub(crate) fn is_there(image: &Image) -> bool {
    image.commands.sections.iter().any(|section| {
        section.size > 0
            && (CLASS_LISTS.contains(&section.name.as_slice())
                || CATEGORY_LISTS.contains(&section.name.as_slice()))
    })
}

/// Adds every method of the classes and categories of a linked image.
pub(crate) fn add(
    file: &SourceFile,
    image: &Image,
    regions: &Regions,
    pointers: &Pointers,
    made: &mut Made,
    candidates: &mut Vec<Candidate>,
) -> Result<Found, ReadError> {
    let mut reader = Methods {
        image,
        regions,
        pointers,
        memory: Memory::new(file, image),
        classes: Classes::read(file, image)?,
        made,
        candidates,
        found: Found::default(),
        // A method takes at least this much of the file, so that lists can't be shared to become many.
        left: image.span.size.min(file.len()) / 12,
        broken: 0,
        nameless: 0,
    };
    // What is loaded early is in the other lists too.
    for (lists, is_category) in [(&CLASS_LISTS[..1], false), (&CATEGORY_LISTS[..2], true)] {
        for name in lists {
            reader.list(name, is_category)?;
        }
    }
    let mut found = reader.found;
    for (count, what) in [
        (
            reader.broken,
            "classes, categories or methods can't be read",
        ),
        (
            reader.nameless,
            "categories extend a class whose name can't be told, so their methods have no names",
        ),
    ] {
        if count > 0 {
            found.damage.push(format!("{count} {what}"));
        }
    }
    Ok(found)
}

struct Methods<'a> {
    image: &'a Image,
    regions: &'a Regions,
    pointers: &'a Pointers,
    memory: Memory<'a>,
    classes: Classes,
    made: &'a mut Made,
    candidates: &'a mut Vec<Candidate>,
    found: Found,
    left: u64,
    broken: u64,
    nameless: u64,
}

/// The class that methods belong to: its name, and that of a category.
struct Owner {
    class: Vec<u8>,
    category: Option<Vec<u8>>,
}

impl Methods<'_> {
    fn list(&mut self, name: &[u8], is_category: bool) -> Result<(), ReadError> {
        let word = self.image.shape.word() as u64;
        let sections = self.image.commands.sections.iter();
        let ranges: Vec<(u64, u64)> = sections
            .filter(|section| section.name == name)
            .map(|section| (section.address, section.size / word))
            .collect();
        for (address, count) in ranges {
            for number in 0..count {
                if self.left == 0 {
                    self.broken += 1;
                    return Ok(());
                }
                self.left -= 1;
                match self.pointer(address.wrapping_add(number * word))? {
                    Some(Pointer::Address(item)) => {
                        let read = if is_category {
                            self.category(item)?
                        } else {
                            self.class(item)?
                        };
                        self.broken += u64::from(read.is_none());
                    }
                    Some(Pointer::Null | Pointer::Import(_)) => {}
                    Some(Pointer::Unknown) | None => self.broken += 1,
                }
            }
        }
        Ok(())
    }

    /// What the pointer at an address leads to; `None` if there is none.
    fn pointer(&mut self, address: u64) -> Result<Option<Pointer>, ReadError> {
        let (shape, pointers) = (self.image.shape, self.pointers);
        Ok(self
            .memory
            .at(address)?
            .and_then(|(bytes, segment)| Some(pointers.decode(segment, shape.word_at(bytes, 0)?))))
    }

    /// The pointer at the n-th word behind an address, if it leads into this image.
    fn target(&mut self, address: u64, words: u64) -> Result<Option<u64>, ReadError> {
        let at = address.wrapping_add(words * self.image.shape.word() as u64);
        Ok(match self.pointer(at)? {
            Some(Pointer::Address(target)) => Some(target),
            _ => None,
        })
    }

    /// A class: its own methods, and those of its metaclass, which are the class methods. `None` if it can't be read.
    fn class(&mut self, address: u64) -> Result<Option<()>, ReadError> {
        let Some(name) = self.class_name(address)? else {
            return Ok(None);
        };
        let owner = Owner {
            class: name,
            category: None,
        };
        let mut whole = self.methods_of_class(address, &owner, b'-')?;
        if let Some(meta) = self.target(address, 0)? {
            whole = whole.and(self.methods_of_class(meta, &owner, b'+')?);
        }
        Ok(whole)
    }

    /// The part of a class that compilers write: behind isa, superclass and two words of a cache. Its low bits say other things.
    fn read_only(&mut self, class: u64) -> Result<Option<u64>, ReadError> {
        let mask = if self.image.shape.is_64 { 7 } else { 3 };
        Ok(self.target(class, 4)?.map(|data| data & !mask))
    }

    /// Flags, start, size (and padding), a layout, then the name; behind it the methods.
    fn class_name(&mut self, class: u64) -> Result<Option<Vec<u8>>, ReadError> {
        let words = if self.image.shape.is_64 { 3 } else { 4 };
        let Some(data) = self.read_only(class)? else {
            return Ok(None);
        };
        match self.target(data, words)? {
            Some(name) => self.memory.text(name),
            None => Ok(None),
        }
    }

    fn methods_of_class(
        &mut self,
        class: u64,
        owner: &Owner,
        sign: u8,
    ) -> Result<Option<()>, ReadError> {
        let words = if self.image.shape.is_64 { 4 } else { 5 };
        let Some(data) = self.read_only(class)? else {
            return Ok(None);
        };
        let word = self.image.shape.word() as u64;
        match self.pointer(data.wrapping_add(words * word))? {
            Some(Pointer::Address(list)) => self.methods(list, owner, sign),
            Some(Pointer::Null) => Ok(Some(())),
            _ => Ok(None),
        }
    }

    /// A category: its name, the class, methods and class methods.
    fn category(&mut self, address: u64) -> Result<Option<()>, ReadError> {
        let name = match self.target(address, 0)? {
            Some(name) => self.memory.text(name)?,
            None => None,
        };
        let Some(name) = name else { return Ok(None) };
        let word = self.image.shape.word() as u64;
        let class = match self.pointer(address.wrapping_add(word))? {
            Some(Pointer::Address(class)) => self.class_name(class)?,
            Some(Pointer::Import(Some(number))) => self
                .pointers
                .import(number)
                .and_then(|name| name.strip_prefix(CLASS))
                .map(<[u8]>::to_vec),
            _ => self
                .classes
                .at(address.wrapping_add(word))
                .map(<[u8]>::to_vec),
        };
        let Some(class) = class else {
            self.nameless += 1;
            return Ok(Some(()));
        };
        let owner = Owner {
            class,
            category: Some(name),
        };
        let mut whole = Some(());
        for (words, sign) in [(2, b'-'), (3, b'+')] {
            if let Some(list) = self.target(address, words)? {
                whole = whole.and(self.methods(list, &owner, sign)?);
            }
        }
        Ok(whole)
    }

    /// A list of methods: the size of a row with flags, the number of rows, the rows.
    fn methods(&mut self, list: u64, owner: &Owner, sign: u8) -> Result<Option<()>, ReadError> {
        const RELATIVE: u32 = 0x8000_0000;
        let shape = self.image.shape;
        let head = self.memory.at(list)?.and_then(|(bytes, _)| {
            let (flags, count) = (shape.u32_at(bytes, 0)?, shape.u32_at(bytes, 4)?);
            Some((flags, count, bytes.len()))
        });
        let Some((flags, count, there)) = head else {
            return Ok(None);
        };
        let size = u64::from(flags & 0xfffc);
        let needed = if flags & RELATIVE != 0 {
            12
        } else {
            3 * shape.word() as u64
        };
        let end = size.saturating_mul(count.into()).saturating_add(8);
        if size < needed || end > there as u64 {
            return Ok(None);
        }
        let mut whole = Some(());
        for number in 0..u64::from(count) {
            if self.left == 0 {
                return Ok(None);
            }
            self.left -= 1;
            let row = list.wrapping_add(8 + number * size);
            let read = if flags & RELATIVE != 0 {
                self.relative(row, flags)?
            } else {
                (self.target(row, 0)?, self.target(row, 2)?)
            };
            let (Some(selector), Some(code)) = read else {
                whole = None;
                continue;
            };
            match self.memory.text(selector)? {
                Some(selector) => whole = whole.and(self.take(owner, sign, &selector, code)),
                None => whole = None,
            }
        }
        Ok(whole)
    }

    /// A row of differences: where its selector and its code are.
    fn relative(&mut self, row: u64, flags: u32) -> Result<(Option<u64>, Option<u64>), ReadError> {
        const DIRECT: u32 = 0x4000_0000;
        let shape = self.image.shape;
        let fields = self.memory.at(row)?.and_then(|(bytes, _)| {
            // Sign-extended.
            let field = |at: usize| Some(i64::from(shape.u32_at(bytes, at)?.cast_signed()));
            Some((field(0)?, field(8)?))
        });
        let Some((name, code)) = fields else {
            return Ok((None, None));
        };
        let name = row.wrapping_add_signed(name);
        let selector = if flags & DIRECT != 0 {
            Some(name)
        } else {
            self.target(name, 0)?
        };
        Ok((
            selector,
            Some(row.wrapping_add(8).wrapping_add_signed(code)),
        ))
    }

    fn take(&mut self, owner: &Owner, sign: u8, selector: &[u8], code: u64) -> Option<()> {
        let is_arm = self.image.machine.is_arm();
        let address = if is_arm { code & !1 } else { code };
        let region = self.regions.at(address)?;
        let (open, category, close): (&[u8], &[u8], &[u8]) = match &owner.category {
            Some(category) => (b"(", category, b")"),
            None => (b"", b"", b""),
        };
        let name = self.made.add(
            &[
                &[sign, b'['],
                &owner.class,
                open,
                category,
                close,
                b" ",
                selector,
                b"]",
            ],
            rows::binding(2),
        )?;
        self.found.rows += 1;
        self.candidates.push(Candidate {
            address,
            size: 0,
            region,
            kind: ProcedureKind::Function,
            mode: is_arm.then_some(if code & 1 == 1 {
                Mode::Thumb
            } else {
                Mode::Arm
            }),
            name: Some(name),
            inferred: false,
        });
        Some(())
    }
}
