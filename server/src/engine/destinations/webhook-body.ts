import { makeIsoFormatter } from '../base/iso-time.ts'
import { isObject } from '../base/json.ts'
import { makeSteps } from '../render/budget.ts'
import { renderTemplate } from '../render/render-template.ts'
import type { AlertContext, Delivery } from './destination.ts'

const types = { retraction: 'alert.retracted', test: 'alert.test' } as const
const stepsMax = 50_000
const outputMax = 100_000

/** `note` says why the text is not what the template says. */
type Body = { ok: true; text: string; note?: string } | { ok: false; reason: string }

/**
 * The body of a webhook. The resource's own template reads the fields of the default body, and those of its `data`
 * directly. A template that costs too much with this alert is replaced by the default body, so that the alert is not lost.
 */
export function webhookBody(delivery: Omit<Delivery, 'id'>, template: unknown): Body {
  const standard = standardBody(delivery)
  if (typeof template !== 'string') return { ok: true, text: standard }
  const payload: unknown = JSON.parse(standard)
  const fields = isObject(payload) && isObject(payload.data) ? { ...payload.data, ...payload } : payload
  const rendered = renderTemplate(jsonTemplate(template), fields, {
    steps: makeSteps(stepsMax),
    outputMax,
    isJson: true,
  })
  if (!rendered.ok && rendered.isOverBudget)
    return { ok: true, text: standard, note: `The body template ${rendered.issue}. The default body was sent.` }
  if (!rendered.ok) return { ok: false, reason: `The body template ${rendered.issue}.` }
  const problem = whyNotJson(rendered.text)
  return problem === undefined
    ? { ok: true, text: rendered.text }
    : { ok: false, reason: `The body template does not render to JSON: ${problem}.` }
}

/** In JSON a tag is often followed by `}`. Handlebars would read that as the end of `{{{`, so a space goes between. */
export function jsonTemplate(text: string): string {
  return text.replaceAll(/(?<!\{)\{\{[^{}]*\}\}(?=\})/g, '$& ')
}

/** Undefined for JSON. The reason quotes one character at most, because the text may hold a secret. */
export function whyNotJson(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty'
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const character = /Unexpected token '(.)'/u.exec(String(error))?.[1]
    return character === undefined ? 'it is not well-formed or ends too early' : `it has an unexpected ${character}`
  }
}

const isoOf = makeIsoFormatter()

/** The default body. It is built of texts, because the store has the content as JSON already. */
export function standardBody({ kind, messageJson, context, reason }: Omit<Delivery, 'id'>): string {
  const { alertId, subscription, workspace, project, trigger, rawJson, humanJson, source, network, block, url } =
    context
  const { policyJson = 'null' } = context
  const [id, createdAt] = [JSON.stringify(alertId), isoOf(context.createdAt.getTime())]
  const about = JSON.stringify({ subscription, workspace, project, trigger, ...stateOf(context) }).slice(1, -1)
  const where = JSON.stringify({
    source,
    network,
    block,
    url,
    createdAt,
    ...(kind === 'retraction' && { reason: reason ?? '' }),
  })
  const alertType = context.state === 'resolved' ? 'alert.resolved' : 'alert'
  const type = kind === 'alert' ? alertType : types[kind]
  const head = `{"type":"${type}","id":${id},"timestamp":"${createdAt}","data":{"id":${id},${about},"policy":${policyJson},"message":${messageJson}`
  return `${head},"raw":${rawJson},"human":${humanJson},${where.slice(1)}}`
}

function stateOf({ severity, backfilled, state, resolves, durationMs, repeat }: AlertContext) {
  return { severity, backfilled, state, resolves: resolves ?? null, durationMs: durationMs ?? null, repeat }
}
