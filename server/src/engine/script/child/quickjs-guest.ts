import { guestCode } from './guest-code.ts'
import type { GuestFunctions } from './quickjs-call.ts'
import { type Machine, startGuest } from './quickjs-machine.ts'

/** Leaves out the text of our functions, which nobody asks for. */
const stripSource = 1 << 4

/**
 * Our own code as bytecode, made in a machine that is then thrown away: what the compiler leaves behind and the text
 * would be a fifth of all that is put back before every call. It never leaves this process.
 */
export function compileGuest(machine: Machine): Uint8Array {
  startGuest(machine)
  const code = Buffer.from(guestCode)
  const [codeAt, fileAt] = [machine.place(code), machine.place(Buffer.from('guest.js'))]
  const lengthAt = machine.guest.wasm_malloc(4)
  const at = machine.guest.qjs_compile(codeAt, code.length, fileAt, 0, stripSource, lengthAt)
  if (at === 0) throw new Error('our own code for the scripts does not compile')
  const memory = machine.bytes()
  return new Uint8Array(memory.subarray(at, at + memory.readUInt32LE(lengthAt)))
}

/** Runs our own code in a started machine. */
export function installGuest(machine: Machine, bytecode: Uint8Array): GuestFunctions {
  const at = machine.place(bytecode)
  const guest = machine.guest.qjs_eval_bytecode(at, bytecode.length)
  machine.guest.wasm_free(at)
  const find = (name: string) => machine.guest.qjs_get_prop_string(guest, machine.place(Buffer.from(name)))
  return { run: find('run'), finish: find('finish'), logs: find('logs'), describe: find('describe') }
}

export function evaluateCode(machine: Machine, code: string, file: string): number {
  const text = Buffer.from(code)
  const [codeAt, fileAt] = [machine.place(text), machine.place(Buffer.from(file))]
  const value = machine.guest.qjs_eval(codeAt, text.length, fileAt, 0)
  machine.guest.wasm_free(codeAt)
  machine.guest.wasm_free(fileAt)
  return value
}
