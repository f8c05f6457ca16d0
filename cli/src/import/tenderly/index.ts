import { readForeign } from '../foreign-files.ts'
import type { Importer } from '../importer.ts'
import { Names } from '../names.ts'
import { missingUrl, Notes } from '../notes.ts'
import { importAlert } from './alerts.ts'
import { type Channel, sortFiles } from './files.ts'

/** Imports the alerts and delivery channels that the API of Tenderly returns. ABIs beside them tell parameters. */
export const importTenderly: Importer = async (path, into) => {
  const { alerts, channels, abi } = sortFiles(readForeign(path))
  const notes = new Notes()
  const { workspace } = into
  const project = notes.addProject(into, 'Tenderly')
  const made = importChannels(channels, workspace, notes)
  const context = { workspace, project, notes, names: new Names(), channels: made, abi }
  for (const alert of alerts) importAlert(alert, context)
  return notes.imported()
}

type Made = { blueprint: string; data: (Record<string, unknown> | undefined)[] }

/** The resources of each delivery channel, by its id. The API does not show the URLs of all channels. */
function importChannels(channels: readonly Channel[], workspace: string, notes: Notes): ReadonlyMap<string, string[]> {
  const names = new Names()
  const imported = new Map<string, string[]>()
  for (const channel of channels) {
    const title = channel.label ?? channel.id
    const name = names.take(title)
    const differences: string[] = []
    const made = makeChannel(channel, name, workspace, differences)
    if (!made) {
      notes.impossible(`channel ${title}`, `Tocsin has no channel of the type ${channel.type}; use a webhook`)
      continue
    }
    if (!channel.enabled) differences.push('it is disabled there; here it delivers')
    const { blueprint, data } = made
    const fullnames = data.map((each, at) => {
      const own = at === 0 ? name : names.take(`${title} ${at + 1}`)
      return notes.addResource(workspace, { name: own, title, blueprint, data: each })
    })
    imported.set(channel.id, fullnames)
    notes.done(`channel ${title}`, differences)
  }
  return imported
}

/** Undefined if there is no such channel here. */
function makeChannel(channel: Channel, name: string, workspace: string, differences: string[]): Made | undefined {
  const { type, information } = channel
  const fields = information ?? {}
  const url = [fields.url, fields.webhook_url, fields.webhook].find((each) => typeof each === 'string')
  if (type === 'email') {
    differences.push('each recipient confirms the address once')
    const list: unknown[] = Array.isArray(fields.emails) ? fields.emails : [fields.email]
    return { blueprint: 'email', data: list.map((to) => ({ to })) }
  }
  if (type === 'telegram') {
    differences.push('connect the chat with the bot of the operator after the apply')
    return { blueprint: 'telegram', data: [undefined] }
  }
  if (type !== 'slack' && type !== 'discord' && type !== 'webhook') return undefined
  const whose = type === 'webhook' ? 'the webhook' : `an incoming webhook of the ${type} channel`
  if (type === 'webhook')
    differences.push('the body is the default body of Tocsin, signed by the Standard Webhooks convention')
  return { blueprint: type, data: [url === undefined ? missingUrl(workspace, name, whose, differences) : { url }] }
}
