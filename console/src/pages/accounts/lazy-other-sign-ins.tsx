import { type ComponentProps, lazy } from 'react'
import { OptionalPart } from '../../components/patterns/optional-part.tsx'

/** Loaded after the form, because few visitors need it and the first page has a size limit. */
const Loaded = lazy(() => import('./other-sign-ins.tsx').then(({ OtherSignIns }) => ({ default: OtherSignIns })))

export function OtherSignIns(props: ComponentProps<typeof Loaded>) {
  return (
    <OptionalPart instead={<p>The other ways to sign in could not be loaded. Reload the page to try again.</p>}>
      <Loaded {...props} />
    </OptionalPart>
  )
}
