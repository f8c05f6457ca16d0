import { randomUUID } from 'node:crypto'
import { fullnameLengthMax, type TriggerSave } from '@tocsin/contract'
import { waitForTurn } from '../../../engine/base/event-loop-turns.ts'
import { readDefinitionInTurn } from '../../../engine/threads/index.ts'
import type { ReadableProject } from '../../../store/projects/projects.ts'
import type { Caller } from '../../find-source.ts'
import { draftContentOf } from '../content.ts'
import { unsavedDraftView } from '../views.ts'

/** What an import knows of a trigger. `names` are the parts of its name, such as a contract and its event. */
export type DraftSeed = {
  names: readonly string[]
  title: string
  description?: string
  triggerSpec: Record<string, unknown>
} & Partial<Pick<TriggerSave, 'inputs' | 'filtersSchema' | 'outputSchema' | 'transform' | 'defaults' | 'providers'>>

export type MadeDrafts = { drafts: ReturnType<typeof unsavedDraftView>[]; error?: string }

type Asking = Caller & { now: Date }

const [segmentMax, nameMax, titleMax] = [60, 120, 200]
/** An import reads the names of a whole contract, program or chain. The drafts of one call are limited, and made in turns. */
const draftsMax = 500
const charactersMax = 4 * 1024 * 1024

/** Drafts that are saved nowhere. Each is valid and has a name that no trigger and no draft of the project has. */
export async function makeDrafts(
  asking: Asking,
  project: ReadableProject,
  found: readonly (() => DraftSeed)[],
  tags: readonly string[],
): Promise<MadeDrafts> {
  const { store, account, settings } = asking
  const seeds = await makeSeeds(found)
  const wanted = seeds.map(({ names }) => `${project.fullname}.${nameOf(names, project.fullname)}`)
  const taken = new Set(await store.triggerDrafts.listTakenNames(project.id, wanted))
  const drafts: MadeDrafts['drafts'] = []
  for (const [index, seed] of seeds.entries()) {
    await waitForTurn()
    const fullname = freeName(wanted[index] ?? '', taken)
    const payload = payloadOf(seed, project, fullname, tags)
    const read = await readDefinitionInTurn(account.id, payload, settings.limits)
    if (!read.ok) continue
    taken.add(fullname)
    drafts.push(viewOf(asking, read.definition, project))
  }
  const checked = seeds.length
  const sentences = [
    ...(checked > drafts.length
      ? [`${checked - drafts.length} of ${checked} have a form that triggers do not support.`]
      : []),
    ...(checked < found.length ? [`Only the first ${checked} of ${found.length} are here. Choose fewer.`] : []),
  ]
  return { drafts, ...(sentences.length > 0 && { error: sentences.join(' ') }) }
}

/** Each seed of an IDL holds the types that it uses, which may be all of them: so the limit of characters counts at once. */
async function makeSeeds(found: readonly (() => DraftSeed)[]): Promise<DraftSeed[]> {
  const seeds: DraftSeed[] = []
  let characters = 0
  for (const make of found.slice(0, draftsMax)) {
    await waitForTurn()
    const seed = make()
    characters += JSON.stringify(seed).length
    if (characters > charactersMax) break
    seeds.push(seed)
  }
  return seeds
}

function payloadOf(seed: DraftSeed, project: ReadableProject, fullname: string, tags: readonly string[]) {
  const { names: _, title, description, ...definition } = seed
  return {
    inputs: {},
    ...definition,
    name: fullname.slice(project.fullname.length + 1),
    fullname,
    project: project.fullname,
    workspace: project.workspace,
    backend: { type: 'sdk' },
    meta: { title: title.slice(0, titleMax), ...(description !== undefined && { description }) },
    tags: [...tags],
  }
}

function viewOf({ account, now, settings }: Asking, definition: TriggerSave, project: ReadableProject) {
  const draft = {
    id: randomUUID(),
    fullname: definition.fullname,
    project: project.fullname,
    workspace: project.workspace,
    workspace_id: project.workspace_id,
    access_level: project.access_level,
    level: project.level,
    content: draftContentOf(definition),
    saved_at: now,
    saved_by: account.id,
    version: 1,
  }
  return unsavedDraftView(draft, settings)
}

/** Only letters, digits, `_` and inner hyphens; a contract's name may be anything. */
function nameOf(names: readonly string[], project: string): string {
  const segments = names.map((name) =>
    name
      .replaceAll(/[^A-Za-z0-9_]+/g, '-')
      .slice(0, segmentMax)
      .replaceAll(/^-+|(?<!-)-+$/g, ''),
  )
  const max = Math.min(nameMax, fullnameLengthMax - project.length - 8)
  const name = segments.filter((segment) => segment !== '').join('.')
  return name.slice(0, max).replace(/(?<![-.])[-.]+$/, '') || 'trigger'
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted
  for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`
  return name
}
