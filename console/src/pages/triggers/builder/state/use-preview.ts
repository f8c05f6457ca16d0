import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import type { Body } from '../../../../data/api.ts'
import { apiQuery } from '../../../../data/queries.ts'
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

/** What activation and transform make of the sample, a moment after the last keystroke. */
export function usePreview({ definition, sample, inputs, providersData }: BuilderState): Preview {
  const { providers, activation, transform, outputSchema } = definition
  const asked = useMemo(
    () => ({ providers, activation, transform, outputSchema, input: sample ?? noSample, inputs, providersData }),
    [providers, activation, transform, outputSchema, sample, inputs, providersData],
  )
  const [body] = useDebouncedValue(asked, debounceMs)
  const found = useQuery({
    ...apiQuery('previewTrigger', { body }),
    // A first sample is there before the body that holds it: scripts would be told to fail on nothing.
    enabled: sample !== undefined && body.input !== noSample,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 10_000,
  })
  return {
    result: sample === undefined ? undefined : found.data,
    issues: sample === undefined ? noIssues : (found.data?.issues ?? noIssues),
    error: found.error,
    isBehind: body !== asked || found.isFetching,
  }
}

export type Output = { raw: unknown; human: unknown; count: number }

/** The output of a preview or a test: null when there is nothing to tell, several when a script told several. */
export function readOutput(output: unknown): Output {
  if (!isObject(output)) return { raw: undefined, human: undefined, count: 0 }
  const { raw, human, outputs } = output
  return { raw, human, count: Array.isArray(outputs) ? outputs.length : 1 }
}
