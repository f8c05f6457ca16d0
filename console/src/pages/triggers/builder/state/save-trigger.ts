import { ApiError } from '@tocsin/sdk'
import { api, type Body } from '../../../../data/api.ts'
import type { Entity } from '../../../../data/queries.ts'
import { type Definition, definitionOf, hasSameContent, type Trigger } from '../../model/definition.ts'

type Read = () => Promise<Answer>
type Answer = { body: Trigger; headers: Headers }
export type Payload = Parameters<typeof api.saveTrigger>[0]['body']

/** The versions that the builder loaded. `published` is undefined for a trigger that was never published. */
export type Opened = { draft: Entity<Trigger>; published: Entity<Trigger> | undefined }

/** Another tab or person saved another version since this one was loaded. Nothing was saved. */
export class ChangedElsewhere extends Error {
  readonly theirs: Trigger
  constructor(theirs: Trigger) {
    super('This trigger was changed in another tab or by another person. Compare the two versions first.')
    this.theirs = theirs
  }
}

export function saveDraft(definition: Definition, known: Entity<Trigger>): Promise<Entity<Trigger>> {
  const { fullname } = definition
  return saveUnlessChanged(
    known,
    () => api.whole.getTriggerDraft({ fullname }),
    (tag) => api.whole.saveTriggerDraft({ fullname, body: definition, ...(tag !== undefined && { ifMatch: tag }) }),
  )
}

/** Publishes the definition. If the builder opened no published version, it only creates one and never overwrites. */
export async function publish(body: Payload, { draft, published }: Opened): Promise<void> {
  const { fullname } = body
  await saveUnlessChanged(
    published ?? { view: draft.view, tag: undefined },
    () => api.whole.getTrigger({ fullname }),
    (tag) =>
      api.whole.saveTrigger({ fullname, body, ...(tag === undefined ? { ifNoneMatch: '*' } : { ifMatch: tag }) }),
  )
}

/** The latest draft and the latest published version; undefined where there is none. */
export async function readLatest(fullname: string) {
  const [draft, published] = await Promise.all([
    ifExists(() => api.whole.getTriggerDraft({ fullname })),
    ifExists(() => api.whole.getTrigger({ fullname })),
  ])
  return { draft, published }
}

/**
 * The ETag also changes with the status and when a draft is discarded. If the definition did not change, the save is
 * repeated with the new tag, because nothing is overwritten.
 */
async function saveUnlessChanged(
  known: Entity<Trigger>,
  read: Read,
  put: (tag: string | undefined) => Promise<Answer>,
) {
  try {
    return entityOf(await put(known.tag))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error
    const theirs = await ifExists(read)
    if (theirs && !hasSameContent(definitionOf(theirs.view), definitionOf(known.view)))
      throw new ChangedElsewhere(theirs.view)
    return entityOf(await put(theirs?.tag))
  }
}

async function ifExists(read: Read): Promise<Entity<Trigger> | undefined> {
  try {
    return entityOf(await read())
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

function entityOf({ body, headers }: Answer): Entity<Body<'getTrigger'>> {
  return { view: body, tag: headers.get('etag') ?? undefined }
}
