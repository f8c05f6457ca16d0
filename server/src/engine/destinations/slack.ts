import { HttpUrl } from '@tocsin/contract'
import * as z from 'zod'
import type { OutboundResponse } from '../outbound/door.ts'
import { sentFromAnswer, sentFromError } from './answers.ts'
import type { Delivery, Destination, DestinationDeps, HttpRequest, Sent, Target } from './destination.ts'
import { answerBytesMax } from './exchange.ts'
import { messageOf } from './read-message.ts'
import { cutToSize, disableMentions, linksThatFit, type SafeLink, type Shown, safeMessage } from './safe-text.ts'

const timeoutMs = 15_000
const headerMax = 150
const sectionMax = 3000
const contextMax = 2000
const labelMax = 100

/**
 * Sends blocks through an incoming webhook. The text of messages is plain_text, in which Slack reads no markup; only the links
 * are markup. A webhook cannot edit messages, so a retraction is a new message.
 */
export const slack: Destination = {
  blueprint: 'common.delivery.slack',
  title: 'Slack',
  description: 'Posts to a Slack channel through an incoming webhook of that channel.',
  glyph: { icon: 'hash', colour: '#611f69' },
  external: false,
  data: z.looseObject({ url: HttpUrl.describe('The URL of the incoming webhook') }),
  secrets: ['url'],
  ordered: true,
  atOnce: 1,
  limits: ({ data }) => [{ key: `slack ${data.url}`, everyMs: 1000, burst: 1 }],
  preview(message, context) {
    const parts = partsOf({ message, context, kind: 'alert' })
    const { title, text, links, footer } = parts
    return { body: bodyOf(parts), shown: { title, text, links, footer } }
  },
  send: post,
  retract: post,
  request: requestOf,
}

async function post(delivery: Delivery, target: Target, deps: DestinationDeps): Promise<Sent> {
  const { url, ...request } = requestOf(delivery, target)
  try {
    const response = await deps.door.post(url, { ...request, timeoutMs, responseBytesMax: answerBytesMax })
    return sentFromSlack(response, url, deps.clock())
  } catch (error) {
    return sentFromError(error)
  }
}

function requestOf(delivery: Delivery, target: Target): HttpRequest {
  const body = JSON.stringify(bodyOf(partsOf({ ...delivery, message: messageOf(delivery) })))
  return { method: 'POST', url: String(target.data.url), headers: { 'content-type': 'application/json' }, body }
}

function sentFromSlack(response: OutboundResponse, url: string, now: Date): Sent {
  const { host } = new URL(url)
  const { status, headers, text } = response
  const answer = { headers, text }
  if (status === 403 || status === 404 || status === 410)
    return {
      kind: 'gone',
      status,
      reason: `${host} answered ${status}: the webhook or its channel was deleted.`,
      answer,
    }
  if (status === 400) return { kind: 'never', status, reason: `${host} refused the message.`, answer }
  return sentFromAnswer(response, url, now)
}

/** The texts of the blocks before they are escaped, cut so that they fit when they are. */
function partsOf(shown: Shown) {
  const { title, body, links, footer, cover } = safeMessage(shown)
  const named = links.map(({ title, url }) => ({ title: labelOf(title), url }))
  return {
    title: fit(title, headerMax),
    text: fit(body, sectionMax),
    links: linksThatFit(named, sectionMax, lineOf),
    footer: fit(footer, contextMax),
    cover: shown.kind === 'retraction' ? undefined : cover,
    /** The text of the notification, and of clients that show no blocks. */
    whole: fit([title, body, footer].filter(Boolean).join('\n'), sectionMax),
  }
}

function bodyOf({ title, text, links, footer, cover, whole }: ReturnType<typeof partsOf>) {
  const listed = { type: 'mrkdwn', verbatim: true, text: links.map(lineOf).join('\n') }
  return {
    text: escapeSlack(whole),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title) },
      ...(text === '' ? [] : [{ type: 'section', text: plain(text) }]),
      ...(cover === undefined ? [] : [{ type: 'image', image_url: cover, alt_text: 'Cover' }]),
      ...(links.length === 0 ? [] : [{ type: 'section', text: listed }]),
      { type: 'context', elements: [plain(footer)] },
    ],
  }
}

function plain(text: string) {
  return { type: 'plain_text', emoji: false, text: escapeSlack(text) }
}

function fit(text: string, max: number): string {
  return cutToSize(text, max, (text) => escapeSlack(text).length)
}

/** In `<url|title>` the characters `|` and `>` are delimiters. */
function labelOf(title: string): string {
  return fit(title.replaceAll('|', '¦').replaceAll(/[*_~`]/g, ''), labelMax) || 'Link'
}

function lineOf({ title, url }: SafeLink): string {
  return `<${url.replaceAll('|', '%7C').replaceAll('>', '%3E')}|${escapeSlack(title)}>`
}

/** Escapes Slack's three control characters, which also disables `<!channel>` and `<@user>`. */
function escapeSlack(text: string): string {
  return disableMentions(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
