import { Input, Skeleton } from '@mantine/core'
import { lazy, Suspense, useId } from 'react'
import type { EditorProps } from './types.ts'

export type { Complete, Mark, Proposal } from './types.ts'

type CodeEditorProps = EditorProps & {
  label: string
  description?: string
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
