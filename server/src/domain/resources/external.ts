import type { DestinationSummary } from '../../store/tables.ts'
import { done } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { type ExternalBlueprint, requireBlueprint } from './blueprints.ts'
import { setupNotFinished } from './remarks.ts'

/** Setup by whoever holds the resource's token: no account is asked for, and the token is told to nobody. */

export const getExternalResource: Handler<'getExternalResource'> = async ({ params, store }) => {
  const row = await store.resources.findByToken(params.token)
  if (!row) throw missing()
  const { guide } = requireExternal(row.blueprint)
  return {
    title: row.meta.title ?? row.name,
    ready: row.ready,
    blocks: [{ type: 'markdown', text: row.ready ? guide.ready : guide.open }],
  }
}

export const submitExternalResource: Handler<'submitExternalResource'> = ({ params, body, store, now }) =>
  store.tx(async (store) => {
    const row = await store.resources.lock({ token: params.token })
    if (!row) throw missing()
    if (body.transform === null) await store.resources.clearDestination(row.id, setupNotFinished, now)
    else {
      const summary = summaryOf(requireExternal(row.blueprint), body.transform)
      await store.resources.setDestination(row.id, { private: body.transform, summary }, now)
    }
    return done
  })

const summaryTextMax = 200

/** Of what was submitted, members see only what names the destination. */
function summaryOf(blueprint: ExternalBlueprint, transform: Record<string, unknown>): DestinationSummary {
  const kind = textOf(transform.kind)
  const topic = textOf(transform.topic)
  return {
    service: blueprint.service,
    title: textOf(transform.title) ?? blueprint.title,
    ...(kind && { kind }),
    ...(topic && { topic }),
  }
}

function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value.trim().slice(0, summaryTextMax)) || undefined
}

function requireExternal(fullname: string): ExternalBlueprint {
  const blueprint = requireBlueprint(fullname)
  if (!blueprint.external) throw missing()
  return blueprint
}

function missing() {
  return notFound('There is nothing to set up here.')
}
