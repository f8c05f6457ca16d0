import type { Issue } from '@tocsin/contract'
import { chainOf } from '../../data/chains.ts'
import { isObject } from '../../forms/json.ts'
import { nameIssue } from '../../forms/names.ts'
import type { Kind, Source } from './kinds.ts'

export type SourceValues = {
  title: string
  name: string
  kind: Kind
  endpoints: string[]
  description: string
  isPublic: boolean
  blockProcessingConcurrency: number | undefined
  maxQueuedBlocks: number | undefined
  batchMaxCount: number | undefined
  confirmations: number | undefined
  verify: Source['verify']
  explorer: Source['explorer']
  currencyName: string
  currencySymbol: string
  currencyDecimals: number | undefined
  allowMethods: string[]
  extensions: string
}

const noValues: Omit<SourceValues, 'kind'> = {
  title: '',
  name: '',
  endpoints: [''],
  description: '',
  isPublic: false,
  blockProcessingConcurrency: undefined,
  maxQueuedBlocks: undefined,
  batchMaxCount: undefined,
  confirmations: undefined,
  verify: undefined,
  explorer: undefined,
  currencyName: '',
  currencySymbol: '',
  currencyDecimals: undefined,
  allowMethods: [],
  extensions: '',
}

export function emptySource(kind: Kind): SourceValues {
  return { ...noValues, kind }
}

export function valuesOf(source: Source): SourceValues {
  return {
    title: source.meta.title,
    name: source.name,
    kind: source.kind,
    endpoints: source.endpoints,
    description: source.meta.description ?? '',
    isPublic: source.public,
    blockProcessingConcurrency: source.blockProcessingConcurrency,
    maxQueuedBlocks: source.maxQueuedBlocks,
    batchMaxCount: source.batchMaxCount,
    confirmations: source.confirmations,
    verify: source.verify,
    explorer: source.explorer,
    currencyName: source.nativeCurrency?.name ?? '',
    currencySymbol: source.nativeCurrency?.symbol ?? '',
    currencyDecimals: source.nativeCurrency?.decimals,
    allowMethods: source.allowMethods ?? [],
    extensions: source.substrate?.extensions ? JSON.stringify(source.substrate.extensions, null, 2) : '',
  }
}

export function checkSource({ title, name, endpoints, extensions }: SourceValues): Issue[] {
  return [
    ...(title.trim() === '' ? [{ path: 'title', message: 'Enter a title' }] : []),
    ...nameIssue('name', name),
    ...(given(endpoints).length === 0 ? [{ path: 'endpoints', message: 'Add at least one endpoint' }] : []),
    ...(readExtensions(extensions) === undefined ? [{ path: 'extensions', message: 'Enter a JSON object' }] : []),
  ]
}

/** The fields that a save and a verification share. */
export function connectionOf({ kind, endpoints, isPublic, extensions }: SourceValues) {
  const read = readExtensions(extensions)
  const hasExtensions = chainOf(kind)?.sourceSettings.includes('extensions')
  return {
    kind,
    endpoints: given(endpoints),
    public: isPublic,
    ...(hasExtensions && read !== undefined && read !== null && { substrate: { extensions: read } }),
  }
}

export function savePayload(
  values: SourceValues,
  owner: { fullname: string; workspace: string; mode: 'create' | 'update' },
  icons?: Source['meta']['icons'],
) {
  const { title, name, description, blockProcessingConcurrency, maxQueuedBlocks, batchMaxCount } = values
  const { confirmations, verify, explorer, allowMethods } = values
  const nativeCurrency = currencyOf(values)
  return {
    ...owner,
    ...connectionOf(values),
    name,
    blockProcessingConcurrency,
    maxQueuedBlocks,
    batchMaxCount,
    confirmations,
    ...(verify && { verify }),
    ...(explorer && { explorer }),
    ...(nativeCurrency && { nativeCurrency }),
    ...(allowMethods.length > 0 && { allowMethods }),
    meta: { title, ...(description.trim() !== '' && { description }), ...(icons && { icons }) },
  }
}

/** Undefined without a symbol: then the source has the currency of its network. */
function currencyOf({ currencyName, currencySymbol, currencyDecimals = 18 }: SourceValues): Source['nativeCurrency'] {
  const symbol = currencySymbol.trim()
  return symbol === '' ? undefined : { name: currencyName.trim() || symbol, symbol, decimals: currencyDecimals }
}

function given(endpoints: string[]): string[] {
  return endpoints.map((endpoint) => endpoint.trim()).filter((endpoint) => endpoint !== '')
}

/** null if the text is empty, undefined if it is not a JSON object. */
function readExtensions(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
