//! The names of numbers, as Apple's headers write them.

/// A load command.
pub(crate) fn command(number: u32) -> String {
    let name = match number {
        0x1 => "LC_SEGMENT",
        0x2 => "LC_SYMTAB",
        0x3 => "LC_SYMSEG",
        0x4 => "LC_THREAD",
        0x5 => "LC_UNIXTHREAD",
        0xb => "LC_DYSYMTAB",
        0xc => "LC_LOAD_DYLIB",
        0xd => "LC_ID_DYLIB",
        0xe => "LC_LOAD_DYLINKER",
        0xf => "LC_ID_DYLINKER",
        0x10 => "LC_PREBOUND_DYLIB",
        0x11 => "LC_ROUTINES",
        0x12 => "LC_SUB_FRAMEWORK",
        0x13 => "LC_SUB_UMBRELLA",
        0x14 => "LC_SUB_CLIENT",
        0x15 => "LC_SUB_LIBRARY",
        0x16 => "LC_TWOLEVEL_HINTS",
        0x17 => "LC_PREBIND_CKSUM",
        0x19 => "LC_SEGMENT_64",
        0x1a => "LC_ROUTINES_64",
        0x1b => "LC_UUID",
        0x1d => "LC_CODE_SIGNATURE",
        0x1e => "LC_SEGMENT_SPLIT_INFO",
        0x20 => "LC_LAZY_LOAD_DYLIB",
        0x21 => "LC_ENCRYPTION_INFO",
        0x22 => "LC_DYLD_INFO",
        0x24 => "LC_VERSION_MIN_MACOSX",
        0x25 => "LC_VERSION_MIN_IPHONEOS",
        0x26 => "LC_FUNCTION_STARTS",
        0x27 => "LC_DYLD_ENVIRONMENT",
        0x29 => "LC_DATA_IN_CODE",
        0x2a => "LC_SOURCE_VERSION",
        0x2b => "LC_DYLIB_CODE_SIGN_DRS",
        0x2c => "LC_ENCRYPTION_INFO_64",
        0x2d => "LC_LINKER_OPTION",
        0x2e => "LC_LINKER_OPTIMIZATION_HINT",
        0x2f => "LC_VERSION_MIN_TVOS",
        0x30 => "LC_VERSION_MIN_WATCHOS",
        0x31 => "LC_NOTE",
        0x32 => "LC_BUILD_VERSION",
        0x36 => "LC_ATOM_INFO",
        0x37 => "LC_FUNCTION_VARIANTS",
        0x38 => "LC_FUNCTION_VARIANT_FIXUPS",
        0x39 => "LC_TARGET_TRIPLE",
        0x8000_0018 => "LC_LOAD_WEAK_DYLIB",
        0x8000_001c => "LC_RPATH",
        0x8000_001f => "LC_REEXPORT_DYLIB",
        0x8000_0022 => "LC_DYLD_INFO_ONLY",
        0x8000_0023 => "LC_LOAD_UPWARD_DYLIB",
        0x8000_0028 => "LC_MAIN",
        0x8000_0033 => "LC_DYLD_EXPORTS_TRIE",
        0x8000_0034 => "LC_DYLD_CHAINED_FIXUPS",
        0x8000_0035 => "LC_FILESET_ENTRY",
        other => return format!("{other:#x}"),
    };
    name.to_owned()
}

/// A type of file.
pub(crate) fn file_type(number: u32) -> String {
    let name = match number {
        1 => "MH_OBJECT",
        2 => "MH_EXECUTE",
        3 => "MH_FVMLIB",
        4 => "MH_CORE",
        5 => "MH_PRELOAD",
        6 => "MH_DYLIB",
        7 => "MH_DYLINKER",
        8 => "MH_BUNDLE",
        9 => "MH_DYLIB_STUB",
        10 => "MH_DSYM",
        11 => "MH_KEXT_BUNDLE",
        12 => "MH_FILESET",
        13 => "MH_GPU_EXECUTE",
        14 => "MH_GPU_DYLIB",
        other => return format!("{other:#x}"),
    };
    name.to_owned()
}

/// The bits of the header's flags.
pub(crate) fn header_flags(flags: u32) -> Vec<&'static str> {
    const NAMES: [&str; 28] = [
        "MH_NOUNDEFS",
        "MH_INCRLINK",
        "MH_DYLDLINK",
        "MH_BINDATLOAD",
        "MH_PREBOUND",
        "MH_SPLIT_SEGS",
        "MH_LAZY_INIT",
        "MH_TWOLEVEL",
        "MH_FORCE_FLAT",
        "MH_NOMULTIDEFS",
        "MH_NOFIXPREBINDING",
        "MH_PREBINDABLE",
        "MH_ALLMODSBOUND",
        "MH_SUBSECTIONS_VIA_SYMBOLS",
        "MH_CANONICAL",
        "MH_WEAK_DEFINES",
        "MH_BINDS_TO_WEAK",
        "MH_ALLOW_STACK_EXECUTION",
        "MH_ROOT_SAFE",
        "MH_SETUID_SAFE",
        "MH_NO_REEXPORTED_DYLIBS",
        "MH_PIE",
        "MH_DEAD_STRIPPABLE_DYLIB",
        "MH_HAS_TLV_DESCRIPTORS",
        "MH_NO_HEAP_EXECUTION",
        "MH_APP_EXTENSION_SAFE",
        "MH_NLIST_OUTOFSYNC_WITH_DYLDINFO",
        "MH_SIM_SUPPORT",
    ];
    (0u32..)
        .zip(NAMES)
        .filter(|(bit, _)| flags & (1 << bit) != 0)
        .map(|(_, name)| name)
        .chain((flags & 0x8000_0000 != 0).then_some("MH_DYLIB_IN_CACHE"))
        .collect()
}

/// A type of section.
pub(crate) fn section(kind: u32) -> String {
    const NAMES: [&str; 23] = [
        "S_REGULAR",
        "S_ZEROFILL",
        "S_CSTRING_LITERALS",
        "S_4BYTE_LITERALS",
        "S_8BYTE_LITERALS",
        "S_LITERAL_POINTERS",
        "S_NON_LAZY_SYMBOL_POINTERS",
        "S_LAZY_SYMBOL_POINTERS",
        "S_SYMBOL_STUBS",
        "S_MOD_INIT_FUNC_POINTERS",
        "S_MOD_TERM_FUNC_POINTERS",
        "S_COALESCED",
        "S_GB_ZEROFILL",
        "S_INTERPOSING",
        "S_16BYTE_LITERALS",
        "S_DTRACE_DOF",
        "S_LAZY_DYLIB_SYMBOL_POINTERS",
        "S_THREAD_LOCAL_REGULAR",
        "S_THREAD_LOCAL_ZEROFILL",
        "S_THREAD_LOCAL_VARIABLES",
        "S_THREAD_LOCAL_VARIABLE_POINTERS",
        "S_THREAD_LOCAL_INIT_FUNCTION_POINTERS",
        "S_INIT_FUNC_OFFSETS",
    ];
    match NAMES.get(kind as usize) {
        Some(name) => (*name).to_owned(),
        None => format!("{kind:#x}"),
    }
}

/// A platform.
pub(crate) fn platform(number: u32) -> String {
    let name = match number {
        1 => "macOS",
        2 => "iOS",
        3 => "tvOS",
        4 => "watchOS",
        5 => "bridgeOS",
        6 => "Mac Catalyst",
        7 => "iOS Simulator",
        8 => "tvOS Simulator",
        9 => "watchOS Simulator",
        10 => "DriverKit",
        11 => "visionOS",
        12 => "visionOS Simulator",
        other => return format!("platform {other}"),
    };
    name.to_owned()
}

/// A version in the form xxxx.yy.zz of 16, 8 and 8 bits.
pub(crate) fn version(packed: u32) -> String {
    let (major, minor, patch) = (packed >> 16, (packed >> 8) & 0xff, packed & 0xff);
    if patch == 0 {
        format!("{major}.{minor}")
    } else {
        format!("{major}.{minor}.{patch}")
    }
}
