use rea_provider::*;
use std::time::Instant;
fn main(){ let p=std::env::args().nth(1).unwrap(); 
 for _ in 0..3 { let t=Instant::now(); let b=Binary::open(p.as_ref()).unwrap(); let inv=b.inventory(&NoMonitor).unwrap(); let e=t.elapsed();
 if std::env::args().nth(2).is_some(){strs(&b);} let d=&inv.documents()[0]; let t=Instant::now(); let mut n=0; let mut rows=0; loop { let pg=d.name_page(n).unwrap(); if pg.ends.is_empty(){break} n+=pg.ends.len() as u32; rows+=pg.text.len(); }
 let mut m=0; loop { let pg=d.place_page(m); if pg.ends.is_empty(){break} m+=pg.ends.len() as u32; rows+=pg.text.len(); }
 println!("{e:?} pages {:?} {:?} {}", t.elapsed(), d.extent(), rows); println!("{:?}", d.kinds());
 if std::env::args().nth(2).is_some() { println!("{:#?}", d.coverage()); }
 let t=Instant::now(); let _=d.procedures(d.extent().places/2,500).unwrap(); println!("page {:?}",t.elapsed());
 let t=Instant::now(); let s=d.search(&NameQuery{pattern:"alloc".into(),..Default::default()},0,50,&NoMonitor).unwrap(); println!("search {} {:?}",s.total,t.elapsed());
 let t=Instant::now(); let r=d.resolve("main"); println!("resolve {r:?} {:?}",t.elapsed());
 d.release_text();
 let t=Instant::now(); let _=d.procedures(d.extent().places/2,500).unwrap(); println!("released: page {:?}",t.elapsed());
 let t=Instant::now(); let s=d.search(&NameQuery{pattern:"alloc".into(),..Default::default()},0,50,&NoMonitor).unwrap(); println!("search {} {:?}",s.total,t.elapsed());
 let t=Instant::now(); let r=d.resolve("rust_metadata"); println!("resolve {r:?} {:?}",t.elapsed());
 } }
#[allow(dead_code)] fn strs(b:&Binary){ let t=Instant::now(); let s=b.strings(&StringQuery{pattern:Some("panic".into()),..Default::default()},0,3,&NoMonitor).unwrap(); println!("{:?} {:#?}",t.elapsed(),s); 
 let t=Instant::now(); let s=b.strings(&StringQuery::default(),0,0,&NoMonitor).unwrap(); println!("{:?} {:#?}",t.elapsed(),s.total);}
