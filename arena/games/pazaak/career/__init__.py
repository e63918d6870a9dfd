"""The role-playing extras of rule book section 7, composed over Pazaak; never rated."""
