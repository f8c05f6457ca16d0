import { issuesOf } from '@tocsin/contract'
import { cleanLine, cutText } from '../../engine/base/clean-text.ts'
import type { Destination as Channel, ExternalSetup, SetupState } from '../../engine/destinations/index.ts'
import type { Destination } from '../../store/alerts/destinations.ts'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import { done } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { invalidPayload, notFound } from '../refusal.ts'
import { requireDestination } from './find.ts'
import { setupNotFinished } from './readiness.ts'

/** Setup through the resource's token, without an account. The token never appears in a response. */

export const getExternalResource: Handler<'getExternalResource'> = async ({ params, store, engine }) => {
  const row = await store.resources.findByToken(params.token)
  if (!row) throw missing()
  const username = await engine.bot?.username()
  const paragraphs = requireExternal(row.blueprint).guide(stateOf(row), username && `https://t.me/${username}`)
  return {
    title: row.meta.title ?? row.name,
    ready: row.ready,
    blocks: [{ type: 'markdown', text: paragraphs.join('\n\n') }],
  }
}

export const submitExternalResource: Handler<'submitExternalResource'> = ({ params, body, store, ip, now }) =>
  store.tx(async (store) => {
    const row = await store.resources.lock({ token: params.token })
    if (!row) throw missing()
    if (body.transform === null) await store.destinations.clear(row.id, setupNotFinished, now)
    else await store.destinations.set(row.id, requireTarget(requireExternal(row.blueprint), body.transform), now)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { ip, now }, { action: 'resource.setup', workspaceId, fullname })
    return done
  })

/** A resource that was set up and does not deliver has the reason in its remark. */
function stateOf({ ready, remark, summary }: ResourceRow): SetupState {
  if (ready) return { kind: 'ready' }
  return summary && remark !== null ? { kind: 'off', remark } : { kind: 'open' }
}

/** The sender gets the address of the chat, members see its names, and no other field is stored. */
function requireTarget(channel: ExternalChannel, transform: Record<string, unknown>): Destination {
  const parsed = channel.submission.safeParse(transform)
  if (!parsed.success)
    throw invalidPayload(issuesOf(parsed.error).map(({ path, message }) => ({ path: `transform.${path}`, message })))
  const { title, kind, topic, ...address } = parsed.data
  const names = { kind: summaryText(kind), topic: summaryText(topic) }
  return {
    private: address,
    summary: {
      service: channel.serviceName,
      title: summaryText(title) ?? channel.title,
      ...(names.kind && { kind: names.kind }),
      ...(names.topic && { topic: names.topic }),
    },
  }
}

type ExternalChannel = Channel & ExternalSetup

function requireExternal(blueprint: string): ExternalChannel {
  const channel = requireDestination(blueprint)
  if (!channel.external) throw missing()
  return channel
}

function missing() {
  return notFound('There is nothing to set up under this token.')
}

const summaryTextMax = 200

/**
 * Makes one line of a name that another person chose, so that members can be shown it. Undefined if nothing is left.
 */
export function summaryText(value: unknown): string | undefined {
  return (typeof value === 'string' && cutText(cleanLine(value), summaryTextMax)) || undefined
}
