import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Body, DefinitionKind, Reply, Routes } from '@tocsin/contract'
import { isObject } from '../../engine/base/json.ts'
import type { Store } from '../../store/index.ts'
import { commonWorkspace } from '../common-workspace.ts'
import type { Account } from '../handler.ts'
import { Refusal } from '../refusal.ts'

/** The public projects that come with the service: read from `marketplace/`, applied as a stack, updated unless edited. */

/** The plan and the apply of stacks, called for an account. */
export type StackCalls = {
  plan(account: Account, workspace: string, body: Body<Routes['planStack']>): Promise<Reply<Routes['planStack']>>
  apply(account: Account, workspace: string, body: Body<Routes['applyStack']>): Promise<unknown>
}
export type MarketplaceDeps = {
  store: Store
  stacks: StackCalls
  warn(line: string): void
  /** The folder of the definitions; that of the repository unless a test passes another one. */
  folder?: string | undefined
}
type Plan = Reply<Routes['planStack']>
type Named = { kind: DefinitionKind; fullname: string }

const stack = 'marketplace'
const setting = 'marketplace'
/** Another process that starts at the same time may apply first; the next plan then has no changes. */
const attemptsMax = 5

/**
 * What was installed: the digest of the files, and every entity that was ever installed, so that a deleted one does not come
 * back. An entity with issues is not among them: a later version that repairs it installs it.
 */
type Installed = { digest: string; names: string[] }

/**
 * Applies the definitions of `marketplace/` if they have changed since the last apply. Only a store that was empty at its
 * first start has the workspace for them. What somebody edited or deleted stays as it is.
 */
export async function installMarketplace(deps: MarketplaceDeps): Promise<void> {
  const { store, folder = marketplaceFolder } = deps
  const workspace = await store.workspaces.find(commonWorkspace)
  const owner = workspace && (await store.members.findOwner(workspace.id))
  if (!owner) return
  const files = readFiles(folder)
  const digest = digestOf(files)
  const before = await readInstalled(store)
  if (before.digest === digest) return
  const account = { id: owner.id, email: owner.email, name: owner.name, createdAt: owner.created_at }
  const definitions = await parseFiles(files)
  const applied = await applyAgain(() => applyOnce(deps, account, definitions, before))
  const names = [...new Set([...before.names, ...applied.map(nameOfDefinition)])]
  await store.settings.set(setting, JSON.stringify({ digest, names } satisfies Installed))
}

async function readInstalled(store: Store): Promise<Installed> {
  const text = await store.settings.find(setting)
  return text === undefined ? { digest: '', names: [] } : (JSON.parse(text) as Installed)
}

async function applyAgain(apply: () => Promise<Definition[] | undefined>): Promise<Definition[]> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const applied = await apply()
    if (applied) return applied
  }
  throw new Error('other processes kept changing the workspace "common"')
}

/** Returns the definitions that are installed now; undefined if the workspace changed between the plan and the apply. */
async function applyOnce(
  deps: MarketplaceDeps,
  account: Account,
  definitions: Definition[],
  before: Installed,
): Promise<Definition[] | undefined> {
  const plan = (entities: Definition[]) => deps.stacks.plan(account, commonWorkspace, { stack, entities, prune: false })
  const untouched = withoutTouched(definitions, await plan(definitions), before)
  const planned = await plan(untouched)
  for (const { kind, fullname, message } of planned.issues)
    deps.warn(`the ${kind} "${fullname}" of the marketplace is not installed: ${message}`)
  const entities = without(untouched, planned.issues)
  const { planHash, changes } = planned.issues.length === 0 ? planned : await plan(entities)
  if (changes.every(({ action }) => action === 'none')) return entities
  try {
    await deps.stacks.apply(account, commonWorkspace, { stack, entities, prune: false, expectedPlanHash: planHash })
    return entities
  } catch (error) {
    if (error instanceof Refusal && error.code === 'plan_changed') return undefined
    throw error
  }
}

/** Leaves out what somebody edited or deleted since it was installed, and what would be in a deleted project. */
function withoutTouched(definitions: Definition[], { drift, changes }: Plan, { names }: Installed): Definition[] {
  const deleted = changes.filter((change) => change.action === 'create' && names.includes(nameOf(change)))
  const deletedProjects = new Set(deleted.flatMap(({ kind, fullname }) => (kind === 'project' ? [fullname] : [])))
  return without(definitions, [...drift, ...deleted]).filter(
    ({ payload }) => !deletedProjects.has(String(payload.project)),
  )
}

function without(definitions: Definition[], named: readonly Named[]): Definition[] {
  const left = new Set(named.map(nameOf))
  return definitions.filter((definition) => !left.has(nameOfDefinition(definition)))
}

function nameOf({ kind, fullname }: Named): string {
  return `${kind} ${fullname}`
}

function nameOfDefinition({ kind, payload }: Definition): string {
  return nameOf({ kind, fullname: String(payload.key ?? payload.fullname) })
}

const marketplaceFolder = fileURLToPath(new URL('../../../../marketplace', import.meta.url))

type Definition = { kind: DefinitionKind; payload: Record<string, unknown> }
type DefinitionFile = { kind: DefinitionKind; path: string; text: string }

const folders: readonly [string, DefinitionKind][] = [
  ['projects', 'project'],
  ['triggers', 'trigger'],
  ['templates', 'template'],
]

/** The definition files of the folder, always in the same order. */
function readFiles(folder: string): DefinitionFile[] {
  return folders.flatMap(([name, kind]) =>
    filesBelow(join(folder, name)).map((path) => ({
      kind,
      path: relative(folder, path),
      text: readFileSync(path, 'utf8'),
    })),
  )
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Changes with every change of a file, so that an unchanged folder is read and not applied. */
function digestOf(files: readonly DefinitionFile[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}

/** The parser is loaded only if a file has changed, so that other starts do not wait for it. */
async function parseFiles(files: readonly DefinitionFile[]): Promise<Definition[]> {
  const { parse } = await import('yaml')
  return files.map(({ kind, path, text }) => {
    const payload: unknown = parse(text)
    if (!isObject(payload)) throw new Error(`The file ${path} of the marketplace holds no definition.`)
    return { kind, payload }
  })
}
