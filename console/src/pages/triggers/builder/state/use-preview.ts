import { useDebouncedValue } from '@mantine/hooks'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import type { Body } from '../../../../data/api.ts'
import { useLiveQuery } from '../../../../data/live.ts'
import { isObject } from '../../../../forms/json.ts'
import type { BuilderState } from './builder-state.ts'

export type Preview = {
  result: Body<'previewTrigger'> | undefined
  issues: Issue[]
  error: Error | null
  isBehind: boolean
}

const debounceMs = 450
const noIssues: Issue[] = []
const noSample = {}

/** Runs conditions, activation and transform on the sample after a short pause in typing. */
export function usePreview({ definition, sample, inputs, providersData }: BuilderState): Preview {
  const { providers, conditions, activation, transform, outputSchema, sourceBindings } = definition
  const current = useMemo(
    () => ({
      ...{ providers, conditions, activation, transform, outputSchema, sourceBindings },
      ...{ input: sample ?? noSample, inputs, providersData },
    }),
    [providers, conditions, activation, transform, outputSchema, sourceBindings, sample, inputs, providersData],
  )
  const [body] = useDebouncedValue(current, debounceMs)
  const args = useMemo(() => ({ body }), [body])
  // The debounced body still has no sample when the first sample arrives; scripts would fail on it.
  const found = useLiveQuery('previewTrigger', args, sample !== undefined && body.input !== noSample)
  return {
    result: sample === undefined ? undefined : found.data,
    issues: sample === undefined ? noIssues : (found.data?.issues ?? noIssues),
    error: found.error,
    isBehind: body !== current || found.isFetching,
  }
}

export type Output = { raw: unknown; human: unknown; count: number }

/** Reads the output of a preview or a test. `count` is 0 for no output, more than 1 if a script returned several. */
export function readOutput(output: unknown): Output {
  if (!isObject(output)) return { raw: undefined, human: undefined, count: 0 }
  const { raw, human, outputs } = output
  return { raw, human, count: Array.isArray(outputs) ? outputs.length : 1 }
}
