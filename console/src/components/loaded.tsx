import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { Page } from './page.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  /** The height of the content, so that the page does not jump when it arrives. */
  height: number
  children: (data: Data) => ReactNode
}

/** What a query returned, a skeleton until then, and the error with a way to try again. */
export function Loaded<Data>({ query: { data, error, refetch }, height, children }: LoadedProps<Data>) {
  return (
    <>
      <ErrorNotice error={error} retry={() => void refetch()} />
      {data !== undefined ? children(data) : !error && <Skeleton height={height} />}
    </>
  )
}

/** A page whose data could not be loaded, with a button that tries again. */
export function PageFailure({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <Page title={title} isNarrow>
      <ErrorNotice error={error} retry={retry} />
    </Page>
  )
}
