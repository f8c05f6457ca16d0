import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { LiteSVM } from 'litesvm'
import { Ledger } from './solana-ledger.ts'
import { emitterProgram, mode } from './solana-program.ts'
import { answer, methodsOf } from './solana-rpc.ts'
import { serveSolana } from './solana-server.ts'

/**
 * An RPC server on LiteSVM, on a free port. Programs run in the same virtual machine as on Solana's nodes. Slots, blocks,
 * their history and the JSON are our own. It has no consensus, no forks and one commitment level.
 */
export type SolanaDouble = {
  url: string
  wsUrl: string
  /** Pays for every transaction. */
  payer: KeyPairSigner
  /** The program that emits the events of `emit`. */
  emitter: Address
  /** Returns the signature. The transaction is in the next block. */
  emit(how: Emit, ...events: Uint8Array[]): Promise<string>
  /** The instruction of `emit`, to send it together with others. */
  emitInstruction(how: Emit, event: Uint8Array): Instruction
  send(instructions: Instruction[], lookup?: { table: Address; addresses: Address[] }): Promise<string>
  setAccount(account: Address, owner: Address, data: Uint8Array, lamports?: bigint): void
  setLookupTable(table: Address, addresses: Address[]): void
  /** Makes a block and returns its slot. */
  produceBlock(skippedSlots?: number): number
  close(): Promise<void>
}
export type Emit = { by: 'log' | 'invoke' | 'both'; fails?: boolean }

const emitter = address('Emit1111111111111111111111111111111111111111')
const lookupTables = address('AddressLookupTab1e1111111111111111111111111')
const eventTag = Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d)
const modes = { log: mode.log, invoke: mode.invoke, both: mode.log | mode.invoke }

export async function startSolana(): Promise<SolanaDouble> {
  const svm = new LiteSVM()
  svm.addProgram(emitter, emitterProgram())
  const payer = await generateKeyPairSigner()
  svm.airdrop(payer.address, lamports(10n ** 12n))
  const ledger = new Ledger(svm)
  const { url, wsUrl, announce, close } = await serveSolana((call) => answer(methodsOf(svm, ledger), call))
  const setAccount: SolanaDouble['setAccount'] = (account, owner, data, balance = 10n ** 9n) =>
    svm.setAccount({
      ...{ address: account, programAddress: owner, data, executable: false },
      ...{ lamports: lamports(balance), space: BigInt(data.length) },
    })
  const send: SolanaDouble['send'] = async (instructions, lookup) => {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(paid),
      (alive) => appendTransactionMessageInstructions(instructions, alive),
    )
    const tables = lookup ? { [lookup.table]: lookup.addresses } : {}
    const compressed = compressTransactionMessageUsingAddressLookupTables(message, tables)
    return ledger.execute(await signTransactionMessageWithSigners(compressed))
  }
  return {
    ...{ url, wsUrl, payer, emitter, send, setAccount, close },
    emitInstruction,
    emit: (how, ...events) => send(events.map((event) => emitInstruction(how, event))),
    setLookupTable: (table, addresses) => setAccount(table, lookupTables, lookupTable(addresses)),
    produceBlock(skippedSlots = 0) {
      const parent = ledger.slot
      const slot = ledger.produceBlock(skippedSlots)
      announce({ slot, parent, root: Math.max(0, slot - 32) })
      return slot
    },
  }
}

function emitInstruction({ by, fails = false }: Emit, event: Uint8Array): Instruction {
  const data = new Uint8Array(16 + event.length)
  data[0] = modes[by] | (fails ? mode.fail : 0)
  data.set(eventTag, 8)
  data.set(event, 16)
  // A program can invoke only programs that are among its accounts.
  return { programAddress: emitter, accounts: [{ address: emitter, role: AccountRole.READONLY }], data }
}

/** In use (1), never deactivated, last extended in slot 0, without an authority; from byte 56 on the addresses. */
function lookupTable(addresses: Address[]): Uint8Array {
  const data = Buffer.alloc(56 + 32 * addresses.length)
  data.writeUInt32LE(1, 0)
  data.writeBigUInt64LE(2n ** 64n - 1n, 4)
  for (const [index, each] of addresses.entries()) data.set(getAddressEncoder().encode(each), 56 + 32 * index)
  return data
}
