import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import type { Complete, Mark } from './types.ts'

export type { Complete, Mark, Proposal } from './types.ts'

type CodeEditorProps = {
  label: string
  description?: string
  language: 'javascript' | 'json'
  value: string
  onChange?: (value: string) => void
  /** Returns the completions at the cursor. The caller must memoise it. */
  complete?: Complete
  /** Problems, shown in the line and in the gutter. */
  marks?: Mark[]
  isReadOnly?: boolean
  minHeight?: number
  error?: string | undefined
}

const CodeMirror = lazy(() => import('./code-mirror.tsx'))

/** A code field. CodeMirror is loaded when the first one is shown. Tab indents; Escape, then Tab moves the focus out. */
export function CodeEditor({ label, description, error, minHeight = 96, ...rest }: CodeEditorProps) {
  const id = useId()
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description} error={error}>
      <Suspense fallback={<Skeleton height={minHeight} mt={4} />}>
        <CodeMirror labelId={id} minHeight={minHeight} isInvalid={error !== undefined} {...rest} />
      </Suspense>
    </Input.Wrapper>
  )
}
