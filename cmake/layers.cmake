# The one table of the library folders, lowest first, and of the folders that each may know.
#
# asg_library() links by it and check_layers.cmake refuses every #include that it does not allow, so
# the arrows point one way. What a known folder knows is known too: whoever knows graph knows core.
# A new folder is one line in ASG_FOLDERS, one below it, and src/<folder>/CMakeLists.txt.

set(ASG_FOLDERS core graph ops autograd compile backend check nn loss optim io data metrics plot decode train zoo recipe edit_check lab)

set(ASG_KNOWS_core)
set(ASG_KNOWS_graph core)
set(ASG_KNOWS_ops graph)
set(ASG_KNOWS_autograd graph ops)
set(ASG_KNOWS_compile graph ops)
set(ASG_KNOWS_backend compile ops)
set(ASG_KNOWS_check autograd backend)
set(ASG_KNOWS_nn graph ops autograd)
set(ASG_KNOWS_loss graph ops autograd)
set(ASG_KNOWS_optim graph ops autograd)
set(ASG_KNOWS_io graph ops nn backend)
set(ASG_KNOWS_data core io)
set(ASG_KNOWS_metrics core)
set(ASG_KNOWS_plot metrics)
set(ASG_KNOWS_decode graph ops nn backend)
set(ASG_KNOWS_train core graph ops autograd compile backend check nn loss optim io data metrics plot)
set(ASG_KNOWS_zoo io train)
set(ASG_KNOWS_recipe zoo)
set(ASG_KNOWS_edit_check recipe)
set(ASG_KNOWS_lab recipe)

# Sets `out` to everything that `folder` may include: itself, what it knows, and what those know.
function(asg_known_folders folder out)
  set(known ${folder})
  foreach(direct IN LISTS ASG_KNOWS_${folder})
    asg_known_folders(${direct} deeper)
    list(APPEND known ${deeper})
  endforeach()
  list(REMOVE_DUPLICATES known)
  set(${out} ${known} PARENT_SCOPE)
endfunction()
