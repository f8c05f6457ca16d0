import {
  type Address,
  type Blockhash,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  type Transaction,
} from '@solana/kit'
import { FailedTransactionMetadata, type LiteSVM, type TransactionMetadata } from 'litesvm'

export type LedgerBlock = {
  blockhash: string
  previousBlockhash: string
  parentSlot: number
  blockHeight: number
  blockTime: number
  rewards: []
  transactions: LedgerTransaction[]
}
export type LedgerTransaction = ReturnType<typeof record>

/** The history that LiteSVM does not store: slots with their blocks, and transactions in the JSON form of nodes. */
export class Ledger {
  slot = 1
  readonly blocks = new Map<number, LedgerBlock>()
  readonly #svm: LiteSVM
  #waiting: LedgerTransaction[] = []
  #lastHash: Blockhash

  constructor(svm: LiteSVM) {
    this.#svm = svm
    this.#lastHash = svm.latestBlockhash()
    svm.warpToSlot(1n)
  }

  /** Executes a transaction at once; it is in the next block. A new blockhash allows the same transaction again. */
  execute(transaction: Transaction): string {
    const result = this.#svm.sendTransaction(transaction)
    this.#waiting.push(record(transaction, result, this.#svm))
    this.#svm.expireBlockhash()
    return getSignatureFromTransaction(transaction)
  }

  produceBlock(skippedSlots: number): number {
    const parentSlot = this.slot
    this.slot += 1 + skippedSlots
    this.#svm.warpToSlot(BigInt(this.slot))
    this.#svm.expireBlockhash()
    const blockhash = this.#svm.latestBlockhash()
    this.blocks.set(this.slot, {
      ...{ blockhash, previousBlockhash: this.#lastHash, parentSlot, blockHeight: this.blocks.size + 1 },
      ...{ blockTime: 1_700_000_000 + this.slot, rewards: [], transactions: this.#waiting },
    })
    this.#lastHash = blockhash
    this.#waiting = []
    return this.slot
  }

  find(signature: string): { slot: number; transaction: LedgerTransaction; blockTime: number } | undefined {
    for (const [slot, { transactions, blockTime }] of this.blocks) {
      const transaction = transactions.find((each) => each.transaction.signatures[0] === signature)
      if (transaction) return { slot, transaction, blockTime }
    }
    return undefined
  }

  get lastHash(): string {
    return this.#lastHash
  }
}

const base58 = getBase58Decoder()

function record(sent: Transaction, result: TransactionMetadata | FailedTransactionMetadata, svm: LiteSVM) {
  const message = getCompiledTransactionMessageDecoder().decode(sent.messageBytes)
  if (message.version === 1) throw new Error('this ledger writes down legacy and v0 transactions')
  const failed = result instanceof FailedTransactionMetadata
  const meta = failed ? result.meta() : result
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  const instructions = message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
    ...{ programIdIndex: programAddressIndex, accounts: accountIndices, stackHeight: 1 },
    data: base58.decode(data ?? new Uint8Array()),
  }))
  const inner = meta.innerInstructions().map((group, index) => ({
    index,
    instructions: group.map((each) => ({
      programIdIndex: each.instruction().programIdIndex(),
      accounts: [...each.instruction().accounts()],
      data: base58.decode(each.instruction().data()),
      stackHeight: each.stackHeight(),
    })),
  }))
  return {
    version: message.version,
    transaction: {
      signatures: [getSignatureFromTransaction(sent)],
      message: { accountKeys: message.staticAccounts, recentBlockhash: message.lifetimeToken, instructions },
    },
    meta: {
      err: failed ? { InstructionError: [0, String(result.err())] } : null,
      fee: 5000,
      logMessages: meta.logs(),
      innerInstructions: inner.filter((group) => group.instructions.length > 0),
      loadedAddresses: {
        writable: lookups.flatMap((lookup) => loaded(svm, lookup.lookupTableAddress, lookup.writableIndexes)),
        readonly: lookups.flatMap((lookup) => loaded(svm, lookup.lookupTableAddress, lookup.readonlyIndexes)),
      },
    },
  }
}

/** A lookup table has 56 bytes of metadata, then addresses. */
function loaded(svm: LiteSVM, table: Address, indexes: readonly number[]): string[] {
  const account = svm.getAccount(table)
  if (!account.exists) throw new Error(`there is no lookup table ${table}`)
  return indexes.map((index) => getAddressDecoder().decode(account.data, 56 + 32 * index))
}
