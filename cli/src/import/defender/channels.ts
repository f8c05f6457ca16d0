import { isRecord } from '../../folder/paths.ts'
import { Names } from '../names.ts'
import type { Notes } from '../notes.ts'

type Fields = Record<string, unknown>
type Made = { blueprint: string; data: (Fields | undefined)[]; differences: string[] }

const makers: Record<string, (config: Fields) => Made> = {
  slack: (config) => ({ blueprint: 'slack', data: urls(config), differences: [] }),
  discord: (config) => ({ blueprint: 'discord', data: urls(config), differences: [] }),
  webhook: (config) => ({
    blueprint: 'webhook',
    data: urls(config),
    differences: ['the body is the default body of Tocsin, signed by the Standard Webhooks convention'],
  }),
  email: ({ emails }) => ({
    blueprint: 'email',
    data: listOf(emails).map((to) => ({ to })),
    differences: ['each recipient confirms the address once'],
  }),
  telegram: (config) => ({
    blueprint: 'telegram',
    data: [undefined],
    differences: [
      `connect chat ${String(config['chat-id'] ?? config.chatId)} with the bot of the operator after the apply`,
    ],
  }),
}

/** The resources of each channel, by its id or name. */
export function importChannels(
  channels: ReadonlyMap<string, Fields>,
  workspace: string,
  notes: Notes,
): Map<string, string[]> {
  const imported = new Map<string, string[]>()
  const names = new Names()
  for (const [id, channel] of channels) {
    const type = String(channel.type ?? '')
    const title = String(channel.name ?? id)
    const make = makers[type]
    if (!make) {
      notes.impossible(`channel ${title}`, `Tocsin has no channel of the type ${type}; use a webhook`)
      continue
    }
    const { blueprint, data, differences } = make(isRecord(channel.config) ? channel.config : {})
    if (channel.paused === true) differences.push('it is paused there; here it delivers')
    const fullnames = data.map((each, at) => {
      const name = names.take(data.length === 1 ? title : `${title}-${at + 1}`)
      return notes.addResource(workspace, { name, title, blueprint, data: each })
    })
    imported.set(id, fullnames)
    notes.done(`channel ${title}`, differences)
  }
  return imported
}

/** The URL may be a list of URLs. */
function urls({ url }: Fields): Fields[] {
  return (Array.isArray(url) ? url : [url]).map((each) => ({ url: each }))
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
