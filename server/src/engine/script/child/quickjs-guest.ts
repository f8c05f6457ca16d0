import { guestCode } from './guest-code.ts'
import type { GuestFunctions } from './quickjs-call.ts'
import { type Machine, startGuest } from './quickjs-machine.ts'

/** Strips the source text of our functions, since nothing reads it. */
const stripSource = 1 << 4

/**
 * Compiles our own code to bytecode in a machine that is then discarded. The compiler's garbage and the source text would
 * be a fifth of the image that is restored before every call. The bytecode never leaves this process.
 */
export function compileGuest(machine: Machine): Uint8Array {
  startGuest(machine)
  const code = Buffer.from(guestCode)
  const [codeAt, fileAt] = [machine.writeBytes(code), machine.writeBytes(Buffer.from('guest.js'))]
  const lengthAt = machine.guest.wasm_malloc(4)
  const at = machine.guest.qjs_compile(codeAt, code.length, fileAt, 0, stripSource, lengthAt)
  if (at === 0) throw new Error('the guest code does not compile')
  const memory = machine.bytes()
  return new Uint8Array(memory.subarray(at, at + memory.readUInt32LE(lengthAt)))
}

/** Runs the bytecode in a started machine and returns its functions. */
export function installGuest(machine: Machine, bytecode: Uint8Array): GuestFunctions {
  const at = machine.writeBytes(bytecode)
  const makeGuest = machine.guest.qjs_eval_bytecode(at, bytecode.length)
  machine.guest.wasm_free(at)
  const guest = machine.call(makeGuest, newHash(machine))
  const find = (name: string) => machine.guest.qjs_get_prop_string(guest, machine.writeBytes(Buffer.from(name)))
  return { run: find('run'), finish: find('finish'), logs: find('logs'), describe: find('describe') }
}

/** The function that our own code in the guest calls to hash a text. No script can reach it. */
function newHash(machine: Machine): number {
  const name = Buffer.from('hash')
  return machine.guest.qjs_new_host_function(machine.writeBytes(name), name.length, 1)
}

export function evaluateCode(machine: Machine, code: string, file: string): number {
  const text = Buffer.from(code)
  const [codeAt, fileAt] = [machine.writeBytes(text), machine.writeBytes(Buffer.from(file))]
  const value = machine.guest.qjs_eval(codeAt, text.length, fileAt, 0)
  machine.guest.wasm_free(codeAt)
  machine.guest.wasm_free(fileAt)
  return value
}
