import { ErrorNotice } from './error-notice.tsx'
import { Page } from './page.tsx'

/** A page whose data could not be loaded, with a button that tries again. */
export function PageFailure({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <Page title={title} isNarrow>
      <ErrorNotice error={error} retry={retry} />
    </Page>
  )
}
