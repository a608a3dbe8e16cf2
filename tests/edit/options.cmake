# Instrumented code is slow: a sample of the random edits is enough to find what the sanitizers look for.
if(ASG_SANITIZE)
  target_compile_definitions(${test} PRIVATE ASG_FEW_CASES)
endif()
