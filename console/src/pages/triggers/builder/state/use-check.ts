import { useDebouncedValue } from '@mantine/hooks'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import { useLiveQuery } from '../../../../data/live.ts'
import { isObject } from '../../../../forms/json.ts'
import { canonical, type Definition } from '../../model/definition.ts'
import type { BuilderState } from './builder-state.ts'
import type { Preview } from './use-preview.ts'

const debounceMs = 600
const noIssues: Issue[] = []

/** The issues that would stop a publish, checked after a short pause in typing. */
export function useCheck({ definition }: BuilderState): Issue[] {
  const [checked] = useDebouncedValue(definition, debounceMs)
  const args = useMemo(() => ({ fullname: checked.fullname, body: canonical(checked) }), [checked])
  const { data } = useLiveQuery('validateTriggerDraft', args)
  return data?.issues ?? noIssues
}

type IssueSources = { state: BuilderState; checked: Issue[]; preview: Preview; refused: Issue[] | undefined }

/** All issues without duplicates: invalid texts, then the issues of a refused publish, else those of check and preview. */
export function mergeIssues({ state, checked, preview, refused }: IssueSources): Issue[] {
  const invalid = Object.entries(state.invalidTexts).map(([path, { problem }]) => ({ path, message: problem }))
  const found = refused ?? [
    ...checked.filter(({ path }) => isFilledIn(state.definition, path) && !(preview.result && isScriptPath(path))),
    ...preview.issues,
  ]
  const seen = new Set<string>()
  return [...invalid, ...found].filter(({ path, message }) => {
    const key = `${path} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}

/** The preview runs the scripts, so it reports the same issues as the check. */
function isScriptPath(path: string): boolean {
  return /^(conditions|activation|transform)/.test(path)
}

/** Issues of empty fields are shown only after a refused publish. */
function isFilledIn(definition: Definition, path: string): boolean {
  let at: unknown = definition
  for (const name of path.split('.')) {
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isObject(at) ? at[name] : undefined
  }
  return at !== undefined && at !== null && at !== ''
}
