//@ std
//@ support: libm
//@ libsqlite3-sys = { version = "=0.30.1", features = ["bundled"] }
//@ input: create table t(a, b); insert into t values (1, 'x'), (2.5, null), (3, 'größe'); select a * 2, upper(b), count(*) over () from t order by a desc;
//@ input: with recursive n(x) as (select 1 union all select x + 1 from n where x < 20) select x, printf('%05d', x), x % 3 from n group by x % 7 having x > 2;
//! Runs the input, which is SQL, on a database in memory.
use libsqlite3_sys as sql;
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input: Vec<u8> = input.iter().copied().filter(|b| *b != 0).collect();
    let statements = CString::new(input).unwrap();
    let mut text = String::new();
    // SAFETY: each pointer comes from SQLite, and is used before its object is closed.
    unsafe {
        let mut database = null_mut();
        assert_eq!(sql::sqlite3_open_v2(c":memory:".as_ptr(), &mut database, sql::SQLITE_OPEN_READWRITE, null()), sql::SQLITE_OK);
        let mut rest = statements.as_ptr();
        while *rest != 0 {
            let mut statement = null_mut();
            let code = sql::sqlite3_prepare_v2(database, rest, -1, &mut statement, &mut rest);
            if code != sql::SQLITE_OK {
                text += &format!("{code} {:?}\n", CStr::from_ptr(sql::sqlite3_errmsg(database)));
                break;
            }
            if statement.is_null() {
                break;
            }
            while sql::sqlite3_step(statement) == sql::SQLITE_ROW {
                for column in 0..sql::sqlite3_column_count(statement) {
                    let value = sql::sqlite3_column_text(statement, column);
                    if !value.is_null() {
                        text += &format!("{:?},", CStr::from_ptr(value.cast()));
                    }
                }
                text += "\n";
            }
            text += &format!("{}\n", sql::sqlite3_finalize(statement));
        }
        sql::sqlite3_close(database);
    }
    put(out, text.as_bytes())
}
