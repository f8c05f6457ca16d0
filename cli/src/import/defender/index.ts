import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { Failure } from '../../failure.ts'
import { isRecord, mapScalars, parsePath, valueAt } from '../../folder/paths.ts'
import { variable } from '../../folder/resolve.ts'
import { type ForeignFile, readForeign } from '../foreign-files.ts'
import type { Importer } from '../importer.ts'
import { Names, nameFrom } from '../names.ts'
import { Notes } from '../notes.ts'
import { importMonitor } from './monitors.ts'
import { readMonitor } from './read-monitor.ts'

/** Imports monitors, channels and networks of OpenZeppelin Defender: its serverless files, and answers of its API. */
export const importDefender: Importer = async (path, into) => {
  const { workspace } = into
  const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : resolve(path, '..')
  const files = readForeign(path).map((file) => ({ ...file, value: fillIn(file.value, resolve(folder, file.path)) }))
  const { monitors, notifications, networks, others } = sortResources(files)
  const notes = new Notes()
  const project = notes.addProject(into, 'OpenZeppelin Defender')
  const made = importNetworks(networks, workspace, notes)
  const channels = importChannels(notifications, workspace, notes)
  const place = { workspace, project, triggers: new Names() }
  for (const fields of monitors) {
    const monitor = readMonitor(fields)
    const differences: string[] = []
    const source = sourceOf(monitor.network, made, workspace, differences)
    importMonitor(monitor, source, channels, place, notes, differences)
  }
  for (const other of others) notes.impossible(other, 'Tocsin sends alerts; it does not run code or send transactions')
  return notes.imported()
}

/** The public networks of Defender that have a built-in source. */
const builtIn: Record<string, string> = {
  mainnet: 'common.ethereum',
  sepolia: 'common.sepolia',
  matic: 'common.polygon',
  arbitrum: 'common.arbitrum',
  optimism: 'common.optimism',
  avalanche: 'common.avalanche',
  base: 'common.base',
  bsc: 'common.bsc',
  linea: 'common.linea',
  moonbeam: 'common.moonbeam',
  scroll: 'common.scroll',
  xdai: 'common.gnosis',
}

/** Private and forked networks become sources. */
function importNetworks(
  networks: readonly Record<string, unknown>[],
  workspace: string,
  notes: Notes,
): Map<string, string> {
  const made = new Map<string, string>()
  const names = new Names()
  for (const network of networks) {
    const title = String(network.name)
    const name = names.take(title)
    const fullname = `${workspace}.${name}`
    const url = network['rpc-url'] ?? network.rpcUrl
    const payload = {
      name,
      fullname,
      workspace,
      kind: 'evm',
      endpoints: [url],
      meta: { title },
    }
    notes.add('source', payload)
    notes.done(`network ${title}`, network['api-key'] ? ['write the API key into the endpoint'] : [])
    made.set(title, fullname)
  }
  return made
}

/** The source of a network. One that neither the service nor the files have must be made by hand. */
function sourceOf(
  network: string,
  made: ReadonlyMap<string, string>,
  workspace: string,
  differences: string[],
): string {
  const known = made.get(network) ?? builtIn[network]
  if (known !== undefined) return known
  const fullname = `${workspace}.${nameFrom(network)}`
  differences.push(`add a source ${fullname} for the network ${network}`)
  return fullname
}

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
function importChannels(channels: ReadonlyMap<string, Fields>, workspace: string, notes: Notes): Map<string, string[]> {
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

/** Variables inside variables are filled in from the inside out, so that a loop ends with an error. */
const depthMax = 20

type LookUp = (expression: string, depth: number) => unknown

/**
 * Fills in the variables of the resources that are imported from a serverless file: `${self:path}` from the file itself
 * and `${file(path)}` from a file beside it. The rest of the file, such as keys of Defender, is read only where a variable
 * names it. Variables of the environment stay, because the files of a stack write them the same way.
 */
function fillIn(document: unknown, path: string): unknown {
  const candidateValue = (wanted: string, depth: number): unknown => {
    const literal = /^(['"])(.*)\1$/.exec(wanted)
    if (literal) return literal[2]
    const env = /^env:(\w+)$/.exec(wanted)
    if (env) return variable(env[1] ?? '')
    const file = /^file\((.+?)\)(?::(.+))?$/s.exec(wanted)
    if (file) return filledAt(readFileValue(resolve(dirname(path), file[1] ?? '')), file[2] ?? '', depth)
    const own = /^self:(.+)$/.exec(wanted)
    return own ? filledAt(document, own[1] ?? '', depth) : undefined
  }
  /** A step of the path may end at a variable, such as a file of secrets, whose value has the next steps. */
  const filledAt = (value: unknown, steps: string, depth: number): unknown =>
    parsePath(steps).reduce<unknown>((at, step) => valueAt(fillScalar(at, lookUp, depth), [step]), value)
  const lookUp: LookUp = (expression, depth) => {
    const [wanted = '', ...others] = expression.split(/,\s*/)
    for (const one of [wanted, ...others]) {
      const found = candidateValue(one, depth)
      if (found !== undefined) return found
    }
    throw new Failure('invalid_file', `The variable \${${wanted}} in ${path} has no value.`)
  }
  if (!isRecord(document) || !isRecord(document.resources)) return fill(document, lookUp, 0)
  const resources = Object.entries(document.resources).map(([kind, members]) => [
    kind,
    importedKinds.has(kind) ? fill(members, lookUp, 0) : members,
  ])
  return { ...document, resources: Object.fromEntries(resources) }
}

const reference = /\$\{((?!env:\w+\})[^${}]+)\}/

function fill(value: unknown, lookUp: LookUp, depth: number): unknown {
  return mapScalars(value, (scalar) => fillScalar(scalar, lookUp, depth))
}

function fillScalar(scalar: unknown, lookUp: LookUp, depth: number): unknown {
  if (depth > depthMax) throw new Failure('invalid_file', 'Variables of the file name each other in a circle.')
  if (typeof scalar !== 'string' || !reference.test(scalar)) return scalar
  const whole = new RegExp(`^${reference.source}$`).exec(scalar)
  if (whole) return fill(lookUp(whole[1] ?? '', depth + 1), lookUp, depth + 1)
  const text = scalar.replace(reference, (_, expression: string) => String(lookUp(expression, depth + 1)))
  return fillScalar(text, lookUp, depth + 1)
}

/** ABIs are JSON, and other files are YAML, of which JSON is a part. */
function readFileValue(path: string): unknown {
  try {
    const value: unknown = parse(readFileSync(path, 'utf8'))
    return value
  } catch {
    throw new Failure('invalid_file', `The file ${path}, which a variable names, cannot be read. Put it there first.`)
  }
}

type DefenderResources = {
  monitors: Fields[]
  notifications: Map<string, Fields>
  networks: Fields[]
  others: string[]
}

/** The kinds of resources that an import reads. */
const importedKinds: ReadonlySet<string> = new Set([
  'monitors',
  'notifications',
  'contracts',
  'private-networks',
  'forked-networks',
])

/** Sorts the resources of the files: those of `resources`, and the monitors and channels of API answers. */
function sortResources(files: readonly ForeignFile[]): DefenderResources {
  const found: DefenderResources = { monitors: [], notifications: new Map(), networks: [], others: [] }
  for (const { value } of files) {
    const resources = isRecord(value) && isRecord(value.resources) ? value.resources : undefined
    if (resources) addResources(found, resources)
    else for (const item of itemsOf(value)) addItem(found, item)
  }
  return found
}

function addResources(found: DefenderResources, resources: Fields): void {
  found.monitors.push(...recordsIn(resources.monitors))
  found.networks.push(...recordsIn(resources['private-networks']), ...recordsIn(resources['forked-networks']))
  if (isRecord(resources.notifications))
    for (const [id, channel] of Object.entries(resources.notifications))
      if (isRecord(channel)) found.notifications.set(String(channel.name ?? id), channel)
  for (const [kind, members] of Object.entries(resources))
    if (!importedKinds.has(kind) && isRecord(members))
      found.others.push(...Object.keys(members).map((name) => `${kind} ${name}`))
}

function addItem(found: DefenderResources, item: Fields): void {
  const name = String(item.name)
  if ('addressRules' in item || item.type === 'BLOCK' || item.type === 'FORTA') found.monitors.push(item)
  else if ('notificationId' in item) found.notifications.set(String(item.notificationId), item)
  else if ('actionId' in item || 'autotaskId' in item) found.others.push(`action ${name}`)
  else if ('relayerId' in item) found.others.push(`relayer ${name}`)
}

/** An answer is a list, an object with `items`, or one object. */
function itemsOf(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (isRecord(value) && Array.isArray(value.items)) return value.items.filter(isRecord)
  return isRecord(value) ? [value] : []
}

function recordsIn(members: unknown): Fields[] {
  return isRecord(members) ? Object.values(members).filter(isRecord) : []
}
