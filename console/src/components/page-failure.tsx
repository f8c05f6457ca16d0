import { ErrorNotice } from './error-notice.tsx'
import { Page } from './page.tsx'

/** A page whose subject could not be read: it still has a title and a way to try again. */
export function PageFailure({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <Page title={title} isNarrow>
      <ErrorNotice error={error} retry={retry} />
    </Page>
  )
}
