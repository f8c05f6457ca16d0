import { isRecord } from '../../folder/paths.ts'
import type { ForeignFile } from '../foreign-files.ts'

type Fields = Record<string, unknown>

/** A monitor and a channel of Defender, in one form for the files of its CLI and the answers of its API. */
export type DefenderMonitor = {
  name: string
  network: string
  isPaused: boolean
  addresses: string[]
  abi: unknown
  events: Fields[]
  functions: Fields[]
  transaction: string | undefined
  status: string | undefined
  threshold: { amount: number; seconds: number } | undefined
  timeoutMs: number
  message: string | undefined
  subject: string | undefined
  severity: string | undefined
  confirmations: unknown
  channels: unknown[]
  /** Fields that run code of the user. */
  actions: string[]
}
export type DefenderResources = {
  monitors: Fields[]
  notifications: Map<string, Fields>
  networks: Fields[]
  others: string[]
}

/** The kinds of resources that an import reads. */
export const importedKinds: ReadonlySet<string> = new Set([
  'monitors',
  'notifications',
  'contracts',
  'private-networks',
  'forked-networks',
])

/** Sorts the resources of the files: those of `resources`, and the monitors and channels of API answers. */
export function sortResources(files: readonly ForeignFile[]): DefenderResources {
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
  if ('addressRules' in item || item.type === 'BLOCK') found.monitors.push(item)
  else if ('notificationId' in item) found.notifications.set(String(item.notificationId), item)
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

export function readMonitor(monitor: Fields): DefenderMonitor {
  const [rule = {}] = listOf(monitor.addressRules).filter(isRecord)
  const [conditionSet = {}] = listOf(rule.conditions).filter(isRecord)
  const [txCondition = {}] = listOf(conditionSet.txConditions).filter(isRecord)
  const conditions = isRecord(monitor.conditions) ? monitor.conditions : {}
  const notify = pick(monitor, 'notify-config', 'notifyConfig')
  const config = isRecord(notify) ? notify : {}
  const threshold = pick(monitor, 'alert-threshold', 'alertThreshold')
  const contracts = listOf(monitor.contracts)
  return {
    name: String(monitor.name ?? 'monitor'),
    network: String(monitor.network ?? networkOfContract(contracts[0])),
    isPaused: monitor.paused === true,
    addresses: addressesOf([...listOf(monitor.addresses), ...listOf(rule.addresses), ...contracts]),
    abi: monitor.abi ?? rule.abi ?? contracts.filter(isRecord).find(({ abi }) => abi !== undefined)?.abi,
    events: listOf(conditions.event ?? monitor.eventConditions ?? conditionSet.eventConditions).filter(isRecord),
    functions: listOf(conditions.function ?? monitor.functionConditions ?? conditionSet.functionConditions).filter(
      isRecord,
    ),
    transaction: textOf(conditions.transaction ?? monitor.txCondition ?? txCondition.expression),
    status: textOf(txCondition.status),
    threshold: isRecord(threshold)
      ? { amount: Number(threshold.amount), seconds: Number(pick(threshold, 'window-seconds', 'windowSeconds')) }
      : undefined,
    timeoutMs: Number(config.timeout ?? config.timeoutMs ?? monitor.alertTimeoutMs ?? 0),
    message: textOf(config.message ?? config.messageBody ?? monitor.alertMessageBody),
    subject: textOf(pick(config, 'message-subject', 'messageSubject') ?? monitor.alertMessageSubject),
    severity: textOf(pick(config, 'severity-level', 'severityLevel') ?? monitor.severityLevel),
    confirmations: pick(monitor, 'confirm-level', 'confirmLevel'),
    channels: [...listOf(config.channels), ...listOf(config.notifications), ...listOf(monitor.notificationChannels)],
    actions: ['action-condition', 'action-trigger', 'actionCondition', 'actionTrigger'].filter((field) =>
      Boolean(monitor[field]),
    ),
  }
}

function pick(fields: Fields, ...names: string[]): unknown {
  return names.map((name) => fields[name]).find((value) => value !== undefined && value !== null)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** A contract is an object, or `network-address`. */
function addressesOf(values: readonly unknown[]): string[] {
  const addresses = values.flatMap(
    (value) => /0x[0-9a-fA-F]{40}/.exec(String(isRecord(value) ? value.address : value))?.[0] ?? [],
  )
  return [...new Set(addresses)]
}

function networkOfContract(contract: unknown): unknown {
  return isRecord(contract) ? contract.network : String(contract ?? '').split('-0x')[0]
}
