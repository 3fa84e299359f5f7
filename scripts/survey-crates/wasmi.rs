//@ std
//@ support: libm
//@ wasmi = "=2.0.0"
//@ input: (module (import "host" "hello" (func $host_hello (param i32))) (func (export "run") (param i32) (result i64) (call $host_hello (i32.const 3)) (i64.extend_i32_u (local.get 0))))
//@ input: (module (memory (export "memory") 1) (func $fib (param i32) (result i64) (if (result i64) (i32.lt_s (local.get 0) (i32.const 2)) (then (i64.extend_i32_s (local.get 0))) (else (i64.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2))))))) (func (export "run") (param i32) (result i64) (i64.store offset=8 (i32.const 16) (call $fib (i32.const 15))) (i64.load offset=4 (i32.const 20))))
//@ input: (module (table 4 funcref) (elem (i32.const 0) $a $b) (type $t (func (param f64) (result f64))) (func $a (type $t) (f64.sqrt (local.get 0))) (func $b (type $t) (f64.div (f64.const 1) (local.get 0))) (global $g (mut i32) (i32.const 2)) (func (export "run") (param i32) (result i64) (local f64) (block $out (loop $next (br_if $out (i32.eqz (global.get $g))) (global.set $g (i32.sub (global.get $g) (i32.const 1))) (local.set 1 (call_indirect (type $t) (f64.const 2.25) (global.get $g))) (br $next))) (i64.trunc_f64_s (f64.mul (local.get 1) (f64.const 1e6)))))
//@ input: (module (memory 1) (data (i32.const 0) "abc\\00gr\\c3\\b6\\c3\\9fe") (func (export "run") (param i32) (result i64) (memory.copy (i32.const 100) (i32.const 0) (i32.const 11)) (drop (memory.grow (i32.const 2))) (drop (i32.rotl (local.get 0) (i32.clz (i32.const 77)))) (i64.rem_s (i64.load (i32.const 100)) (i64.load32_s (i32.const 65536000)))))
//! Runs a module of WebAssembly. The input is the text format of the module.
use wasmi::{Caller, Config, Engine, Linker, Module, Store};

fn run(text: &[u8]) -> Result<String, wasmi::Error> {
    let mut config = Config::default();
    config.consume_fuel(true);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, text)?;
    let mut store = Store::new(&engine, vec![]);
    store.set_fuel(200_000)?;
    let mut linker = <Linker<Vec<i32>>>::new(&engine);
    linker.func_wrap("host", "hello", |mut caller: Caller<'_, Vec<i32>>, n: i32| caller.data_mut().push(n))?;
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    let result = instance.get_typed_func::<i32, i64>(&store, "run")?.call(&mut store, 7);
    Ok(format!("{:?} {:?} {:?}", result.map_err(|error| error.to_string()), store.get_fuel(), store.data()))
}

#[rustgo::export(stack = "1m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let text = match run(input) {
        Ok(text) => text,
        Err(error) => error.to_string(),
    };
    put(out, text.as_bytes())
}
