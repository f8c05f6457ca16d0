import { isRecord } from '../../folder/paths.ts'

type Fields = Record<string, unknown>

/** A monitor of Defender, in one form for the files of its CLI and the answers of its API. */
export type DefenderMonitor = {
  name: string
  network: string
  isPaused: boolean
  /** It listens to the bots of Forta, not to a chain. */
  isForta: boolean
  /** What one of them matches is enough. */
  rules: DefenderRule[]
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
/** Contracts, and one of the events or functions, in a transaction that fits one of the conditions, if there are any. */
export type DefenderRule = {
  addresses: string[]
  abi: unknown
  events: Fields[]
  functions: Fields[]
  transactions: Fields[]
}
export function readMonitor(monitor: Fields): DefenderMonitor {
  const notify = pick(monitor, 'notify-config', 'notifyConfig')
  const config = isRecord(notify) ? notify : {}
  const threshold = pick(monitor, 'alert-threshold', 'alertThreshold')
  const contracts = listOf(monitor.contracts)
  return {
    name: String(monitor.name ?? 'monitor'),
    network: String(monitor.network ?? networkOfWatcher(monitor.blockWatcherId) ?? networkOfContract(contracts[0])),
    isPaused: monitor.paused === true,
    isForta: monitor.type === 'FORTA',
    rules: 'addressRules' in monitor ? recordsOf(monitor.addressRules).flatMap(readRule) : [readOneRule(monitor)],
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

/** The form of the CLI and of requests: all conditions of the monitor in one place. */
function readOneRule(monitor: Fields): DefenderRule {
  const conditions = isRecord(monitor.conditions) ? monitor.conditions : {}
  const contracts = listOf(monitor.contracts)
  const expression = conditions.transaction ?? monitor.txCondition
  return {
    addresses: addressesOf([...listOf(monitor.addresses), monitor.address, ...contracts]),
    abi: monitor.abi ?? contracts.filter(isRecord).find(({ abi }) => abi !== undefined)?.abi,
    events: recordsOf(conditions.event ?? monitor.eventConditions),
    functions: recordsOf(conditions.function ?? monitor.functionConditions),
    transactions: textOf(expression) === undefined ? [] : [{ expression }],
  }
}

/**
 * The form of answers: a set of conditions has one event or function, beside the conditions of the transaction. Sets are
 * alternatives, so those with the same conditions of the transaction are one rule.
 */
function readRule({ addresses, abi, conditions }: Fields): DefenderRule[] {
  const about = { addresses: addressesOf(listOf(addresses)), abi }
  const rules = new Map<string, DefenderRule>()
  for (const set of recordsOf(conditions)) {
    const [events, functions] = [recordsOf(set.eventConditions), recordsOf(set.functionConditions)]
    const transactions = recordsOf(set.txConditions)
    const key = JSON.stringify([transactions, events.length + functions.length > 0])
    const rule = rules.get(key) ?? { ...about, events: [], functions: [], transactions }
    rules.set(key, { ...rule, events: [...rule.events, ...events], functions: [...rule.functions, ...functions] })
  }
  return rules.size > 0 ? [...rules.values()] : [{ ...about, events: [], functions: [], transactions: [] }]
}

function recordsOf(value: unknown): Fields[] {
  return listOf(value).filter(isRecord)
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

/** The part before the number of confirmations: `sepolia-1`. */
function networkOfWatcher(id: unknown): string | undefined {
  return /^(?:jsonrpc-)?(.+)-\d+$/.exec(String(id ?? ''))?.[1]
}

function networkOfContract(contract: unknown): unknown {
  return isRecord(contract) ? contract.network : String(contract ?? '').split('-0x')[0]
}
