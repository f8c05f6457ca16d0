import type { Message } from '@tocsin/contract'
import type { AlertContext, Delivery, Destination, DestinationDeps, Sent, Target } from './destination.ts'
import { emailHtml } from './email-html.ts'
import { messageOf } from './read-message.ts'
import { cleanLine, cutText, retractionNote, safeMessage } from './safe-text.ts'

const subjectMax = 200
const bodyMax = 20_000

/** Text and HTML over SMTP. Whoever reads it can leave by one click, which pauses the subscription. */
export const email: Destination = {
  blueprint: 'common.delivery.email',
  ordered: true,
  atOnce: 1,
  limits: ({ data }, { rates }) => [
    { key: `email ${data.to}`, everyMs: 60_000 / rates.emailPerMinute, burst: rates.emailPerMinute },
  ],
  preview: (message, context) => contentOf({ kind: 'alert', message, context }),
  send: post,
  retract: post,
}

async function post(delivery: Delivery, target: Target, world: DestinationDeps): Promise<Sent> {
  const { mail, unsubscribeUrl } = world
  if (!mail) return { kind: 'never', reason: 'The operator has set up no SMTP server.' }
  const { alertId, subscription } = delivery.context
  const leave = subscription === undefined ? undefined : unsubscribeUrl(subscription)
  const alertMessageId = `<${alertId}@${mail.host}>`
  const isRetraction = delivery.kind === 'retraction'
  try {
    await mail.send({
      to: String(target.data.to),
      ...contentOf({ ...delivery, message: messageOf(delivery) }, leave),
      messageId: isRetraction ? `<${alertId}.retracted@${mail.host}>` : alertMessageId,
      ...(isRetraction && { inReplyTo: alertMessageId }),
      headers: headersOf(delivery, leave),
    })
    return { kind: 'sent' }
  } catch (error) {
    return sentBySmtp(error)
  }
}

function headersOf({ context }: Delivery, leave: string | undefined): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    'X-Alert-Id': context.alertId,
    ...(leave !== undefined && {
      'List-Unsubscribe': `<${leave}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
}

type Content = { kind: Delivery['kind']; message: Message; context: AlertContext; reason?: string }

function contentOf({ kind, message, context, reason }: Content, leave?: string) {
  const safe = safeMessage(message, kind)
  const title = kind === 'retraction' ? `Retracted: ${safe.title}` : safe.title
  const body = kind === 'retraction' ? [retractionNote(reason), safe.body].filter(Boolean).join('\n\n') : safe.body
  const shown = { ...safe, title: cutText(title, subjectMax), body: cutText(body, bodyMax) }
  const about = cleanLine(context.trigger)
  const text = [
    shown.title,
    shown.body,
    ...shown.links.map((link) => `${link.title}: ${link.url}`),
    `-- \n${about}${leave === undefined ? '' : `\nPause this subscription: ${leave}`}`,
  ]
  return { subject: shown.title, text: text.filter(Boolean).join('\n\n'), html: emailHtml(shown, about, leave) }
}

/** By SMTP's own codes: 4xx may pass, 5.1.x names an address that does not exist, other 5xx is about the message. */
function sentBySmtp(error: unknown): Sent {
  const { responseCode, response } = error as { responseCode?: unknown; response?: unknown }
  if (typeof responseCode !== 'number' || responseCode < 400)
    return { kind: 'later', reason: 'The SMTP server could not be reached.' }
  const said = typeof response === 'string' ? response.split('\n')[0]?.slice(0, 200) : ''
  const reason = `The SMTP server answered ${said || responseCode}`
  if (responseCode < 500) return { kind: 'later', reason, status: responseCode }
  // Our own sign-in failing is the operator's matter: messages wait for him.
  if ([530, 534, 535, 538].includes(responseCode)) return { kind: 'later', reason, status: responseCode }
  const isNobody = /\b5\.1\.[0-9]\b/.test(String(response)) || responseCode === 551
  return { kind: isNobody ? 'gone' : 'never', reason, status: responseCode }
}
