import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import type { Body } from '../../../../data/api.ts'
import { useLiveQuery } from '../../../../data/live.ts'
import type { BuilderState } from './builder-state.ts'
import { type Preview, readOutput } from './use-preview.ts'

export type MessagePreview = { result: Body<'previewMessage'> | undefined; error: Error | null; isBehind: boolean }

const debounceMs = 450

/** Renders the message of the draft with the output of the live preview, after a short pause in typing. */
export function useMessagePreview({ definition, sample }: BuilderState, preview: Preview): MessagePreview {
  const { defaults, meta, fullname, project, triggerSpec } = definition
  const output = preview.result?.output
  const current = useMemo(() => {
    const { raw, human, count } = readOutput(output)
    if (!sample || count === 0) return undefined
    const named = { trigger: fullname, title: meta.title.trim() || fullname, project, triggerSpec }
    return { defaults: defaults ?? {}, output: { raw, human }, input: sample, ...named }
  }, [defaults, meta.title, fullname, project, triggerSpec, output, sample])
  const [body] = useDebouncedValue(current, debounceMs)
  const args = useMemo(() => ({ body: body ?? nothing }), [body])
  const found = useLiveQuery('previewMessage', args, body !== undefined)
  return {
    result: body === undefined ? undefined : found.data,
    error: found.error,
    isBehind: body !== current || found.isFetching,
  }
}

const nothing = { defaults: {}, output: { raw: null, human: null }, input: {}, trigger: 'none.none.none', title: '-' }
