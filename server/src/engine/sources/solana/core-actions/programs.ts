import type { CoreAction } from '@tocsin/contract'
import { at, balance, inTransaction, nullableText, texts, transactionLink } from '../../action-fields.ts'
import { solanaAddress } from './fields.ts'
import { jupiterIdl, tokenProgramIdl } from './idls.ts'

const where = 'signature: source.transaction.signature, slot: source.block.slot'
const whereSchema = { signature: 'string', slot: 'integer' }

/** The token program logs no events, so its IDL holds the instruction instead of an event. */
export const splTransfer: CoreAction = {
  type: 'spl_transfer',
  title: 'SPL token transfer',
  description: 'A transfer between two token accounts (TransferChecked, which names the mint).',
  kind: 'solana',
  triggerSpec: {
    type: 'solana_event',
    dataSource: 'common.solana',
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    event: 'transferChecked',
    idl: tokenProgramIdl,
  },
  inputs: {},
  filtersSchema: {
    mint: at('params.mint', solanaAddress, 'The mint of the token'),
    source: at('params.source', solanaAddress, 'The token account of the sender'),
    destination: at('params.destination', solanaAddress, 'The token account of the receiver'),
    authority: at('params.authority', solanaAddress, 'The wallet that signed'),
    amount: at('params.amount', balance(0), 'The amount in smallest units'),
  },
  outputSchema: {
    raw: {
      mint: solanaAddress,
      source: solanaAddress,
      destination: solanaAddress,
      authority: solanaAddress,
      amount: balance(0),
      decimals: 'integer',
      ...whereSchema,
    },
    human: { mint: solanaAddress, amount: 'string' },
  },
  transform: {
    language: 'javascript',
    rawSource: `const p = source.params
return {
  mint: p.mint,
  source: p.source,
  destination: p.destination,
  authority: p.authority,
  amount: String(p.amount),
  decimals: Number(p.decimals),
  ${where},
}`,
    humanSource: '({ ...raw, amount: helpers.formatUnits(raw.amount, raw.decimals) })',
  },
  notSeen: [
    'Transfers by the older instruction Transfer, which does not name the mint, and those of the program Token-2022.',
  ],
  defaults: {
    ...texts('{{token raw.amount token=raw.mint}} moved from {{address raw.source}} to {{address raw.destination}}', {
      more: `\nSigned by {{address raw.authority}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}

/** The program is an example that is busy on mainnet. The builder replaces it with the author's program. */
export const anchorEvent: CoreAction = {
  type: 'anchor_event',
  title: 'Anchor event',
  description:
    'Any event of any Anchor program. Enter the IDL and the program id. The example watches swaps by Jupiter.',
  kind: 'solana',
  triggerSpec: {
    type: 'solana_event',
    dataSource: 'common.solana',
    programId: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
    event: 'SwapEvent',
    idl: jupiterIdl,
  },
  inputs: {},
  filtersSchema: { programId: at('programId', solanaAddress, 'The program') },
  outputSchema: { raw: { programId: solanaAddress, event: 'string', params: 'object', ...whereSchema } },
  transform: {
    language: 'javascript',
    rawSource: `({ programId: source.programId, event: source.event, params: source.params, ${where} })`,
  },
  notSeen: ['Events in logs that the node cut, unless the program also emits them as an instruction.'],
  defaults: {
    ...texts('{{event raw.event raw.params}} in {{address raw.programId}}', {
      title: '{{event raw.event raw.params}}',
      more: `\n{{values raw.params}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}

/** The instruction is an example of the token program. The builder replaces it with the author's instruction. */
export const solanaInstruction: CoreAction = {
  type: 'solana_instruction',
  title: 'Solana instruction',
  description:
    'An instruction of a program, also inside other instructions. Enter the IDL and the program id. The example watches token transfers.',
  kind: 'solana',
  triggerSpec: {
    type: 'solana_instruction',
    dataSource: 'common.solana',
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    instruction: 'transferChecked',
    idl: tokenProgramIdl,
  },
  inputs: {},
  filtersSchema: { programId: at('programId', solanaAddress, 'The program') },
  outputSchema: {
    raw: { programId: solanaAddress, instruction: nullableText, args: 'object', accounts: 'object', ...whereSchema },
  },
  transform: {
    language: 'javascript',
    rawSource: `({ programId: source.programId, instruction: source.instruction, args: source.args, accounts: source.accounts, ${where} })`,
  },
  notSeen: ['Instructions of failed transactions.'],
  defaults: {
    ...texts(
      '{{#if raw.instruction}}{{raw.instruction}} called{{else}}An instruction{{/if}} in {{address raw.programId}}',
      {
        more: `\n{{values raw.args}}${inTransaction}`,
      },
    ),
    links: transactionLink,
  },
}
