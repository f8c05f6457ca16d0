import { isRecord } from '../../folder/paths.ts'
import { type Names, nameFrom } from '../names.ts'
import { missingUrl, type Notes } from '../notes.ts'
import { expressionOf } from './expressions.ts'
import { type Chat, type Outlets, type Webhook, withEnv } from './manifest.ts'

/** A stream or a chat: the resource that gets the messages, and for which events it gets them. */
export type Outlet = {
  definition: string
  /** Its fullname. The resource is made when it is asked for the first time. */
  resource(): string
  networks: readonly string[]
  messages: Message[]
  isFinalized: boolean
  differences: string[]
}
export type Message = { event: string; alias?: string; expression?: string | undefined; template?: string }

/** Equal channels of several contracts are one resource. */
export type Resources = { workspace: string; notes: Notes; names: Names; made: Map<string, string> }

/** What can be imported. The report gets a line for each stream and chat that cannot. */
export function outletsOf({ streams, chat }: Outlets, owner: string, resources: Resources): Outlet[] {
  for (const [kind, settings] of Object.entries(streams ?? {}))
    if (kind !== 'webhooks') refuseStreams(kind, settings, owner, resources.notes)
  const webhooks = (streams?.webhooks ?? []).map((webhook, at) => webhookOutlet(webhook, at, owner, resources))
  const chats = Object.entries(chat ?? {}).flatMap(([kind, list]) =>
    list.flatMap((each) => chatOutlet(kind, each, owner, resources) ?? []),
  )
  return [...webhooks, ...chats]
}

/** Each of its topics, queues, exchanges or streams is one definition. */
function refuseStreams(kind: string, settings: unknown, owner: string, notes: Notes): void {
  const lists = isRecord(settings) ? Object.values(settings).filter(Array.isArray) : []
  const parts: unknown[] = lists.flat().filter((part) => isRecord(part) && 'networks' in part)
  if (parts.length === 0) parts.push({})
  for (const part of parts) {
    const name = isRecord(part) ? Object.entries(part).find(([key]) => key !== 'prefix_id')?.[1] : undefined
    const which = name === undefined ? kind : `${kind} ${String(name)}`
    notes.impossible(`${which} of ${owner}`, `Tocsin has no channel of the type ${kind}; use a webhook`)
  }
}

function webhookOutlet(webhook: Webhook, at: number, owner: string, resources: Resources): Outlet {
  const url = withEnv(webhook.endpoint)
  const headers = { 'x-rindexer-shared-secret': withEnv(webhook.shared_secret) }
  const title = `${owner} webhook`
  return {
    definition: at === 0 ? `webhook of ${owner}` : `webhook ${at + 1} of ${owner}`,
    resource: () => resourceOf(resources, title, 'webhook', { url, headers, body: streamBody }),
    networks: webhook.networks,
    messages: webhook.events.map((event) => ({
      event: event.event_name,
      ...(event.alias !== undefined && { alias: event.alias }),
      expression: expressionOf(event),
    })),
    isFinalized: webhook.delivery === 'finalized',
    differences: ['each event is a request of its own, without block_timestamp'],
  }
}

/** Undefined if there is no such channel here. */
function chatOutlet(kind: string, chat: Chat, owner: string, resources: Resources): Outlet | undefined {
  const room = chat.chat_id ?? chat.channel_id ?? chat.channel
  const definition = `${kind}${room === undefined ? '' : ` ${room}`} of ${owner}`
  if (kind !== 'telegram' && kind !== 'discord' && kind !== 'slack') {
    resources.notes.impossible(definition, `Tocsin has no channel of the type ${kind}; use a webhook`)
    return undefined
  }
  const differences = ['the title stands before the message']
  const title = `${kind} ${room}`
  const data =
    kind === 'telegram'
      ? undefined
      : missingUrl(
          resources.workspace,
          nameFrom(title),
          `an incoming webhook of the ${kind} channel ${room}`,
          differences,
        )
  if (!data) differences.push(`connect chat ${room} with the bot of the operator after the apply`)
  return {
    definition,
    resource: () => resourceOf(resources, title, kind, data),
    networks: chat.networks,
    messages: chat.messages.map((message) => ({
      event: message.event_name,
      expression: expressionOf(message),
      template: templateFrom(message.template_inline),
    })),
    isFinalized: false,
    differences,
  }
}

function resourceOf(
  { workspace, notes, names, made }: Resources,
  title: string,
  blueprint: string,
  data: Record<string, unknown> | undefined,
): string {
  const key = JSON.stringify([blueprint, data ?? title])
  const known = made.get(key)
  if (known !== undefined) return known
  const fullname = notes.addResource(workspace, { name: names.take(title), title, blueprint, data })
  made.set(key, fullname)
  return fullname
}

/** The event data are a part of the output, so `{{from}}` becomes `{{raw.event_data.from}}`. */
export function templateFrom(text: string): string {
  return text.replaceAll(/\{\{([^{}]+)\}\}/g, (whole, placeholder: string) => {
    const call = /^\s*format_value\(([^,()]+),\s*(\d+)\s*\)\s*$/.exec(placeholder)
    if (call) return `{{format ${pathOf(call[1] ?? '')} decimals=${call[2]}}}`
    return /^[\s\w.]+$/.test(placeholder) ? `{{${pathOf(placeholder)}}}` : whole
  })
}

function pathOf(text: string): string {
  const steps = text.trim().split('.')
  return ['raw', 'event_data', ...steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : step))].join('.')
}

/** The body of a stream, with one event in the list. */
const streamBody = `{${['event_name', 'event_signature_hash', 'network', 'block_number']
  .map((field) => `"${field}": {{raw.${field}}}`)
  .join(', ')}, "event_data": [{{raw.event_data}}]}`
