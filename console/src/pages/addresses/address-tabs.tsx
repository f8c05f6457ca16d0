import { PageTabs } from '../../components/page.tsx'
import { useCurrentWorkspace } from '../../data/workspace.ts'

/** The account's address book, and the address lists of the current workspace. */
export function AddressTabs() {
  const { current } = useCurrentWorkspace()
  if (!current) return null
  return (
    <PageTabs
      label="Addresses"
      tabs={[
        { title: 'Address book', link: { to: '/addresses' } },
        {
          title: 'Address lists',
          link: { to: '/w/$workspace/address-lists', params: { workspace: current.fullname } },
        },
      ]}
    />
  )
}
