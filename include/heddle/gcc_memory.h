/* Included in front of every source that gcc compiles through the wrappers. gcc's own instrumentation leaves calls of
   the memory functions alone; here their names in the object file become those of the runtime, which knows their
   ranges. */
#if !defined(HEDDLE_GCC_MEMORY_H) && !defined(__ASSEMBLER__)
#define HEDDLE_GCC_MEMORY_H

#ifdef __cplusplus
extern "C" {
#define HEDDLE_NOTHROW noexcept
#else
#define HEDDLE_NOTHROW
#endif

void* memcpy(void*, const void*, __SIZE_TYPE__) HEDDLE_NOTHROW __asm__("__tsan_memcpy");
void* memmove(void*, const void*, __SIZE_TYPE__) HEDDLE_NOTHROW __asm__("__tsan_memmove");
void* memset(void*, int, __SIZE_TYPE__) HEDDLE_NOTHROW __asm__("__tsan_memset");

#undef HEDDLE_NOTHROW
#ifdef __cplusplus
}
#endif

#endif
