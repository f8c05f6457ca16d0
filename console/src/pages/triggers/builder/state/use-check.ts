import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Issue } from '@tocsin/contract'
import { apiQuery } from '../../../../data/queries.ts'
import { isObject } from '../../../../forms/json.ts'
import { canonical, type Definition } from '../../model/definition.ts'
import type { BuilderState } from './builder-state.ts'
import type { Preview } from './use-preview.ts'

const debounceMs = 600
const noIssues: Issue[] = []

/** What publishing would refuse, a moment after the last key. */
export function useCheck({ definition }: BuilderState): Issue[] {
  const [checked] = useDebouncedValue(definition, debounceMs)
  const { data } = useQuery({
    ...apiQuery('validateTriggerDraft', { fullname: checked.fullname, body: canonical(checked) }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 10_000,
  })
  return data?.issues ?? noIssues
}

type Known = { state: BuilderState; checked: Issue[]; preview: Preview; refused: Issue[] | undefined }

/** Each problem once: unread text, then what a publish refused, else what the check and the live preview found. */
export function mergeIssues({ state, checked, preview, refused }: Known): Issue[] {
  const unread = Object.entries(state.unread).map(([path, { problem }]) => ({ path, message: problem }))
  const found = refused ?? [
    ...checked.filter(({ path }) => isFilledIn(state.definition, path) && !(preview.result && ofScripts(path))),
    ...preview.issues,
  ]
  const seen = new Set<string>()
  return [...unread, ...found].filter(({ path, message }) => {
    const key = `${path} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}

/** The preview runs the scripts, so it also tells what the check says about them. */
function ofScripts(path: string): boolean {
  return /^(activation|transform)/.test(path)
}

/** A field that nobody has filled in yet is told only after a publish was refused. */
function isFilledIn(definition: Definition, path: string): boolean {
  let at: unknown = definition
  for (const name of path.split('.')) {
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isObject(at) ? at[name] : undefined
  }
  return at !== undefined && at !== null && at !== ''
}
