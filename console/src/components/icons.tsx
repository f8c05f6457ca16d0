import { makeIcon } from './first-icons.tsx'

export {
  BellMark,
  type Icon,
  IconCheck,
  IconCompass,
  IconInfo,
  IconKey,
  IconMonitor,
  IconMoon,
  type IconProps,
  IconSun,
  IconWarning,
} from './first-icons.tsx'

export const IconAddress = makeIcon(
  'M5 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5z',
  'M5 4v16',
  'M12 10.5a1.8 1.8 0 1 0 0-.01',
  'M9 16c.6-1.6 1.6-2.3 3-2.3s2.4.7 3 2.3',
)
export const IconAlert = makeIcon(
  'M12 4a5.5 5.5 0 0 1 5.5 5.5c0 4 1.5 5.5 1.5 6.5H5c0-1 1.5-2.5 1.5-6.5A5.5 5.5 0 0 1 12 4z',
  'M10 19.5a2.2 2.2 0 0 0 4 0',
)
export const IconArrowLeft = makeIcon('M19 12H5', 'm11 6-6 6 6 6')
export const IconArrowRight = makeIcon('M5 12h14', 'm13 6 6 6-6 6')
export const IconBalance = makeIcon(
  'M12 4v16',
  'M6 20h12',
  'M5 7h14',
  'm5 7-2.5 6a2.8 2.8 0 0 0 5 0z',
  'm19 7-2.5 6a2.8 2.8 0 0 0 5 0z',
)
export const IconBraces = makeIcon(
  'M8.5 4.5c-2 0-2.5 1-2.5 2.5v2c0 1.5-.7 2.5-2 3 1.3.5 2 1.5 2 3v2c0 1.5.5 2.5 2.5 2.5',
  'M15.5 4.5c2 0 2.5 1 2.5 2.5v2c0 1.5.7 2.5 2 3-1.3.5-2 1.5-2 3v2c0 1.5-.5 2.5-2.5 2.5',
)
export const IconChart = makeIcon('M4 4v16h16', 'm7.5 14.5 3.5-4 3 2.5 5-6.5')
export const IconChat = makeIcon('M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z')
export const IconChevronDown = makeIcon('m6 9.5 6 6 6-6')
export const IconChevronUp = makeIcon('m6 14.5 6-6 6 6')
export const IconClock = makeIcon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z', 'M12 7v5l3.5 2')
export const IconClose = makeIcon('M6 6l12 12', 'M18 6 6 18')
export const IconCode = makeIcon('m8 7-5 5 5 5', 'm16 7 5 5-5 5', 'm13.5 5-3 14')
export const IconCoins = makeIcon(
  'M9 11c3 0 5.5-1.2 5.5-2.7S12 5.5 9 5.5 3.5 6.8 3.5 8.3 6 11 9 11z',
  'M3.5 8.3v5C3.5 14.8 6 16 9 16',
  'M15 18.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
)
export const IconCopy = makeIcon(
  'M9 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1z',
  'M5 15V5a1 1 0 0 1 1-1h10',
)
export const IconDots = makeIcon('M5.5 12h.01', 'M12 12h.01', 'M18.5 12h.01')
export const IconExternal = makeIcon(
  'M13 5h6v6',
  'M19 5l-9 9',
  'M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4',
)
export const IconEye = makeIcon(
  'M2.5 12C4.5 7.8 7.9 5.5 12 5.5s7.5 2.3 9.5 6.5c-2 4.2-5.4 6.5-9.5 6.5S4.5 16.2 2.5 12z',
  'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
)
export const IconFlag = makeIcon('M6 21V4', 'M6 5c4-2.5 7 2.5 12 0v9c-5 2.5-8-2.5-12 0')
export const IconFilter = makeIcon('M4 5h16l-6 7.5V19l-4 1.5v-8z')
export const IconHash = makeIcon('M9.5 4 8 20', 'M16 4l-1.5 16', 'M4.5 9h15.5', 'M4 15h15.5')
export const IconHelp = makeIcon(
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  'M9.6 9.4a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2 1-1.2 1.8',
  'M12 16.8h.01',
)
export const IconHome = makeIcon('m4 11 8-7 8 7v8.5a.5.5 0 0 1-.5.5H4.5a.5.5 0 0 1-.5-.5z', 'M9.5 20v-6h5v6')
export const IconImage = makeIcon(
  'M5 5h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z',
  'm4.5 16 4.5-4.5 4 4 2.5-2.5 4 4',
  'M14.5 9h.01',
)
export const IconLink = makeIcon(
  'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1',
  'M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
)
export const IconLogOut = makeIcon('M14 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h8', 'M10 12h10', 'm17 9 3 3-3 3')
export const IconMail = makeIcon('M4 6h16v12H4z', 'm4.5 6.5 7.5 6.5 7.5-6.5')
export const IconMenu = makeIcon('M4 7h16', 'M4 12h16', 'M4 17h16')
export const IconMessage = makeIcon('M5 4h14v16H5z', 'M8.5 8.5h7', 'M8.5 12h7', 'M8.5 15.5h4')
export const IconPlus = makeIcon('M12 5v14', 'M5 12h14')
export const IconProject = makeIcon('M4 7.5 12 4l8 3.5-8 3.5z', 'm4 12 8 3.5 8-3.5', 'm4 16.5 8 3.5 8-3.5')
export const IconRefresh = makeIcon('M19.5 12a7.5 7.5 0 1 1-2.2-5.3', 'M19.5 4v4h-4')
export const IconResource = makeIcon('M4 12l16-7-5 15-3.5-6z', 'M11.5 14 20 5')
export const IconSearch = makeIcon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14z', 'm20 20-4-4')
export const IconSettings = makeIcon(
  'M4 7.5h9M18 7.5h2',
  'M15.5 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  'M4 16.5h2M11 16.5h9',
  'M8.5 19a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
)
export const IconSource = makeIcon(
  'M12 9c4.4 0 7-1.3 7-2.5S16.4 4 12 4 5 5.3 5 6.5 7.6 9 12 9z',
  'M5 6.5v11C5 18.7 7.6 20 12 20s7-1.3 7-2.5v-11',
  'M5 12c0 1.2 2.6 2.5 7 2.5s7-1.3 7-2.5',
)
export const IconStack = makeIcon('M8 8V4h12v12h-4', 'M4 8h12v12H4z')
export const IconStore = makeIcon(
  'M4 9.5 5.5 4h13L20 9.5',
  'M4 9.5a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0 2.7 2.7 0 0 0 5.3 0',
  'M5.5 12v8h13v-8',
  'M10 20v-4.5h4V20',
)
export const IconSubscription = makeIcon(
  'M5 18.5a1 1 0 1 0 0-.01',
  'M5 12a6.5 6.5 0 0 1 6.5 6.5',
  'M5 6a12.5 12.5 0 0 1 12.5 12.5',
)
export const IconTemplate = makeIcon('M4 5h16v4H4z', 'M4 13h7v6H4z', 'M15 13h5v6h-5z')
export const IconTransfer = makeIcon('M4 8.5h14', 'm15 5 3.5 3.5L15 12', 'M20 15.5H6', 'm9 12-3.5 3.5L9 19')
export const IconTrash = makeIcon(
  'M5 7h14',
  'M10 4h4',
  'm7 7 .8 12a1 1 0 0 0 1 1h6.4a1 1 0 0 0 1-1L17 7',
  'M10.5 11v5',
  'M13.5 11v5',
)
export const IconTrigger = makeIcon('M13 3 5 13.5h6L10 21l9-11h-6.5z')
export const IconUser = makeIcon(
  'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  'M4.5 20c.8-3.7 3.6-5.5 7.5-5.5s6.7 1.8 7.5 5.5',
)
export const IconUsers = makeIcon(
  'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  'M2.5 19.5c.6-3.2 3-5 6.5-5s5.9 1.8 6.5 5',
  'M16 5a3.3 3.3 0 0 1 0 6.5',
  'M18 14.8c2 .6 3.2 2.2 3.5 4.7',
)
export const IconVote = makeIcon('M4 13h16v7H4z', 'm7 13 2-9h6l2 9', 'M9.5 8.5l2 2 3-3.5')
export const IconWallet = makeIcon(
  'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z',
  'M4 7l11-3v3',
  'M16 13.5h.01',
)
export const IconWorkspace = makeIcon('M4 20V8l6-4v16', 'M10 9h10v11', 'M4 20h17', 'M14 13h2M14 16.5h2')
