import { requireMember, requireReadableProject } from '../access.ts'
import type { Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { type Asker, isReadableSource } from './sources.ts'

/** Trying a definition out: whoever is signed in may, on projects, workspaces and sources that he may read. */

export const previewTrigger: Handler<'previewTrigger'> = async ({ body, ...asker }) => {
  await requireReadableSources(asker, { providers: body.providers })
  throw cannotRun()
}

export const testTrigger: Handler<'testTrigger'> = async ({ body, ...asker }) => {
  await requireReadableSources(asker, body)
  throw cannotRun()
}

export const testTriggerBlock: Handler<'testTriggerBlock'> = async ({ body, ...asker }) => {
  await requireReadableSources(asker, body)
  throw cannotRun()
}

export const testProvider: Handler<'testProvider'> = async ({ body, ...asker }) => {
  if (body.project !== undefined) await requireReadableProject(asker.store, asker.account, body.project)
  if (body.workspace !== undefined) await requireMember(asker.store, asker.account, body.workspace)
  await requireReadableSources(asker, { triggerSpec: body.triggerSpec, providers: [body.provider] })
  throw cannotRun()
}

export const findLatestBlock: Handler<'findLatestBlock'> = async ({ body, ...asker }) => {
  await requireReadableSources(asker, { triggerSpec: body.triggerSpec })
  throw cannotRun()
}

function cannotRun(): Refusal {
  return new Refusal('unavailable', 'Definitions cannot be run by this version of the service.')
}

type Named = { triggerSpec?: Record<string, unknown> | null; providers?: Record<string, unknown>[] }

async function requireReadableSources(asker: Asker, named: Named): Promise<void> {
  for (const fullname of new Set(sourcesOf(named)))
    if (!(await isReadableSource(asker, fullname)))
      throw notFound(`There is no data source "${fullname}" that you may read.`)
}

const readsChain: unknown[] = ['substrate_storage', 'evm_read', 'solana_account']

/** A javascript provider's `source` is its code; a placeholder names nothing yet. */
function sourcesOf({ triggerSpec, providers = [] }: Named): string[] {
  const ofProviders = providers.filter(({ type }) => readsChain.includes(type)).map(({ source }) => source)
  return [triggerSpec?.dataSource, ...ofProviders].filter(
    (source): source is string => typeof source === 'string' && source !== '' && !source.includes('{{'),
  )
}
