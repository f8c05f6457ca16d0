import type { SolanaImportDrafts } from '@tocsin/contract'
import type * as z from 'zod'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { at } from '../../../engine/sources/action-fields.ts'
import type { FoundIdl } from '../../../engine/sources/connection.ts'
import { isSolanaAddress } from '../../../engine/sources/solana/address.ts'
import { solanaAddress } from '../../../engine/sources/solana/core-actions/fields.ts'
import { anchorEvent, solanaInstruction } from '../../../engine/sources/solana/core-actions/programs.ts'
import { requireProjectLevel } from '../../access.ts'
import type { Handler } from '../../handler.ts'
import { type Asking, atSource, requireSourceOf } from '../../look-ups.ts'
import { invalidPayload } from '../../refusal.ts'
import { requireTryOutScope } from '../../try-out.ts'
import { limited } from '../try-outs/handlers.ts'
import { descriptionOf, filtersOf, objectOf } from './described-fields.ts'
import { type DraftSeed, makeDrafts } from './drafts.ts'

/** Loaded when it is first used: it needs heavy libraries. */
const loadIdlEntries = () => import('../../../engine/sources/solana/idl/idl-entries.ts')

/** The IDL that a program has on the chain. Nothing found is an answer with `error`, not a refusal. */
export const findSolanaIdl: Handler<'findSolanaIdl'> = async (context) => {
  const { source, programId } = context.body
  await requireSourceOf(context, source, 'solana')
  requireProgramId(programId)
  return limited(context, {}, async () => ({ source, programId, ...(await findIdl(context, source, programId)) }))
}

async function findIdl(asking: Asking, source: string, programId: string): Promise<FoundIdl> {
  try {
    return await atSource(asking, source, (connection) => {
      if (!connection.findIdl) throw new Error('A connection to Solana must find IDLs.')
      return connection.findIdl(programId)
    })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const reason = error.message.replace(/\.$/, '')
    return {
      account: null,
      idl: null,
      error: `The network could not be read: ${reason}. Check the source, or paste the IDL.`,
    }
  }
}

function requireProgramId(programId: string): void {
  if (isSolanaAddress(programId)) return
  const message = 'is not an address of a Solana program: it must be base58 of 32 bytes'
  throw invalidPayload([{ path: 'programId', message }])
}

/** A draft for each event and instruction of the IDL. */
export const importSolanaDrafts: Handler<'importSolanaDrafts'> = async (context) => {
  const { body, store, account } = context
  const project = await requireProjectLevel(store, account, body.project, 'developer')
  await requireSourceOf(context, body.source, 'solana')
  requireProgramId(body.programId)
  const { idlEntries } = await loadIdlEntries()
  const entries = idlEntries(body.idl)
  if (!entries.ok) throw invalidPayload([{ path: 'idl', message: entries.message }])
  const scope = await requireTryOutScope(store, account, body.project)
  return limited(context, scope, async () => {
    const program = entries.programName ?? body.programId.slice(0, 8)
    const seeds = [
      ...(body.includeEvents ? entries.events.map((entry) => () => eventSeed(entry, program, body)) : []),
      ...(body.includeCalls ? entries.instructions.map((entry) => () => instructionSeed(entry, program, body)) : []),
    ]
    const made = await makeDrafts(context, project, seeds, body.category === undefined ? [] : [body.category])
    return { abiSource: 'provided' as const, ...made }
  })
}

type IdlEntries = ReturnType<Awaited<ReturnType<typeof loadIdlEntries>>['idlEntries']>
type IdlEntry = Extract<IdlEntries, { ok: true }>['events'][number]
type Import = z.output<typeof SolanaImportDrafts>

function eventSeed(entry: IdlEntry, program: string, { source, programId }: Import): DraftSeed {
  const { transform, defaults } = anchorEvent
  const params = objectOf(entry.fields)
  return {
    ...namesOf(entry, program),
    triggerSpec: { type: 'solana_event', dataSource: source, programId, event: entry.name, idl: entry.idl() },
    filtersSchema: filtersOf(entry.fields, 'params'),
    outputSchema: withRaw(anchorEvent, { params }),
    transform,
    defaults,
  }
}

function instructionSeed(entry: IdlEntry, program: string, { source, programId }: Import): DraftSeed {
  const { transform, defaults } = solanaInstruction
  const accounts = entry.accounts.filter((name) => /^[A-Za-z_]\w*$/.test(name))
  const idl = entry.idl()
  return {
    ...namesOf(entry, program),
    triggerSpec: { type: 'solana_instruction', dataSource: source, programId, instruction: entry.name, idl },
    filtersSchema: {
      ...Object.fromEntries(accounts.map((name) => [name, at(`accounts.${name}`, solanaAddress, 'An account')])),
      ...filtersOf(entry.fields, 'args'),
    },
    outputSchema: withRaw(solanaInstruction, { args: objectOf(entry.fields) }),
    transform,
    defaults,
  }
}

function namesOf({ name, docs }: IdlEntry, program: string) {
  const description = descriptionOf(docs)
  return { names: [program, name], title: `${program}: ${name}`, ...(description !== undefined && { description }) }
}

/** The output of the starting point, with the types of this entry. */
function withRaw({ outputSchema }: typeof anchorEvent, fields: Record<string, unknown>) {
  const raw = typeof outputSchema.raw === 'object' ? outputSchema.raw : {}
  return { raw: { ...raw, ...fields } }
}
