"""What is found: question sets run through the product, beside plain BM25 on the same files."""
