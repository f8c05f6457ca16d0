import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useTestMessage } from '../../../layouts/test-message/use-test-message.ts'
import type { Draft } from '../model/draft.ts'
import { TestResult } from '../test-message/test-result.tsx'

const debounceMs = 600
type OverridesPreviewProps = { id: string; project: string; overrides: Draft['overrides'] }

/** The message of a saved subscription with the texts that are being typed, on each channel. */
export function OverridesPreview({ id, project, overrides }: OverridesPreviewProps) {
  const test = useTestMessage(id)
  const [typed] = useDebouncedValue(overrides, debounceMs)
  const show = useEffectEvent((overrides: Draft['overrides']) => test.mutate({ deliver: false, overrides }))
  useEffect(() => show(typed), [typed])
  return (
    <section aria-label="Message preview" aria-busy={test.isPending || typed !== overrides}>
      <ErrorNotice error={test.error} />
      {test.data && <TestResult result={test.data} project={project} />}
    </section>
  )
}
