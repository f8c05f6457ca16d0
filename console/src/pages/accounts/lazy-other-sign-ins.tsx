import { type ComponentProps, lazy, Suspense } from 'react'

/** Loaded after the form, because few visitors need it and the first page has a size limit. */
const Loaded = lazy(() => import('./other-sign-ins.tsx').then(({ OtherSignIns }) => ({ default: OtherSignIns })))

export function OtherSignIns(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
